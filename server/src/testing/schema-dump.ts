import type pg from 'pg';

/**
 * The database's shape as text: tables, columns, constraints, indexes, policies, triggers, functions and rights. Made
 * from the catalogues, because no dump program comes with the embedded PostgreSQL.
 */
export async function dumpSchema(client: pg.ClientBase): Promise<string> {
  const parts: string[] = [];
  for (const [title, text] of sections) {
    const { rows } = await client.query<{ line: string }>(text);
    parts.push(`-- ${title}`, ...rows.map(({ line }) => line), '');
  }
  return parts.join('\n');
}

const ours = "relnamespace = 'public'::regnamespace";

const sections: [string, string][] = [
  [
    'columns',
    `select format('%s.%s %s%s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end,
        case when a.attidentity <> '' then ' identity' when a.attgenerated <> '' then ' generated' else '' end,
        coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind = 'r' and c.${ours} order by c.relname, a.attnum`,
  ],
  [
    'constraints',
    `select format('%s.%s %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as line
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where c.${ours} and k.contype <> 'n' order by c.relname, k.conname`,
  ],
  [
    'indexes',
    `select pg_get_indexdef(i.indexrelid) as line from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.${ours} order by 1`,
  ],
  [
    'row-level security',
    `select format('%s %s to %s using %s', p.tablename, p.policyname, array_to_string(p.roles, ','), p.qual) as line
      from pg_policies p where p.schemaname = 'public' order by 1`,
  ],
  [
    'triggers',
    `select pg_get_triggerdef(t.oid) as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.${ours} and not t.tgisinternal order by 1`,
  ],
  [
    'functions',
    `select format('%s(%s) %s%s %s', p.proname, pg_get_function_identity_arguments(p.oid),
        case when p.prosecdef then 'security definer as ' || pg_get_userbyid(p.proowner) || ' ' else '' end,
        p.provolatile, md5(p.prosrc)) as line
      from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1`,
  ],
  [
    'rights',
    `select format('%s %s: %s', grantee, table_name, string_agg(privilege_type, ', ' order by privilege_type)) as line
      from information_schema.role_table_grants
      where table_schema = 'public' and grantee like 'hengfu\\_%' and grantee <> 'hengfu_owner' and grantee <> current_user
      group by grantee, table_name order by 1`,
  ],
];
