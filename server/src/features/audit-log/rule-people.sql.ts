import { type RawBuilder, sql } from 'kysely';

/**
 * The email addresses of the people whom approval rules of an entry name, by their IDs; null for other entries. `people` has one row for each
 * person.
 */
export function rulePeople(entry: 'a' | 'p', people: 'app_user' | 'staff_person'): RawBuilder<unknown> {
  const [before, after] = [sql.ref(`${entry}.before`), sql.ref(`${entry}.after`)];
  return sql`case when ${before} ? 'rules' or ${after} ? 'rules' then (
    select json_object_agg(named.id, named.email) from ${sql.table(people)} named where named.id in (
      select (person #>> '{}')::bigint
      from jsonb_path_query(jsonb_build_array(${before}, ${after}), '$[*].rules[*].people[*]') person
      where person #>> '{}' ~ '^[0-9]{1,18}$')) end`;
}
