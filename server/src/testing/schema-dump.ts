import type pg from 'pg';

/**
 * Dumps everything that migrations decide about a database: definitions, owners and privileges. Reads the
 * catalogs, because the embedded PostgreSQL has no pg_dump. The job queue's schema belongs to its package: of
 * that, only the privileges of our roles are included.
 */
export async function dumpSchema(client: pg.ClientBase): Promise<string> {
  const parts: string[] = [];
  for (const [title, text] of sections) {
    const { rows } = await client.query<{ line: string }>(
      `select line from (${text}) _ order by line collate "C"`,
    );
    parts.push(`-- ${title}`, ...rows.map(({ line }) => line), '');
  }
  return parts.join('\n');
}

/** Leaves out what depends on the date: the partitions, which a test of their own compares with their tables. */
const notDated = "n.nspname not in ('month', 'day')";
/** Leaves out the schemas of PostgreSQL and of the job queue's package as well. */
const ours = `${notDated} and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'graphile_worker')`;
const notSystem = `${notDated} and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;
const nameOf = (name: string) =>
  `case when n.nspname = 'public' then ${name} else n.nspname || '.' || ${name} end`;
/** Replaces the owner's name, which differs between databases. */
const roleOf = (oid: string) =>
  `case ${oid} when 0 then 'public' when current_user::regrole then 'owner' else pg_get_userbyid(${oid}) end`;
const functionName = `${nameOf('p.proname')} || '(' || pg_get_function_identity_arguments(p.oid) || ')'`;

/** Lists the privileges of each role on each object, one line each; those of owners are left out. */
const privilegesOn = (kind: string, name: string, acl: string, owner: string, from: string) => `
  select format('%s %s: %s to %s', '${kind}', ${name},
    string_agg(a.privilege_type || case when a.is_grantable then ' with grant option' else '' end, ', ' order by a.privilege_type),
    ${roleOf('a.grantee')}) as line
  from ${from} cross join lateral aclexplode(${acl}) a
  where a.grantee <> ${owner} and ${notSystem}
    and (n.nspname <> 'graphile_worker' or a.grantee = any (select oid from pg_roles where rolname like 'hengfu%'))
  group by ${name}, a.grantee`;

const relations = 'pg_class c join pg_namespace n on n.oid = c.relnamespace';
const functions = 'pg_proc p join pg_namespace n on n.oid = p.pronamespace';

const sections: [string, string][] = [
  [
    'schemas',
    `select format('%s owner %s', n.nspname, ${roleOf('n.nspowner')}) as line from pg_namespace n
      where n.nspname in ('month', 'day') or ${ours}`,
  ],
  [
    'tables and views',
    `select format('%s %s owner %s%s%s%s%s', c.relkind, ${nameOf('c.relname')}, ${roleOf('c.relowner')},
        case when c.relrowsecurity then ' row security' else '' end,
        case when c.relforcerowsecurity then ' forced' else '' end,
        case when c.relpersistence <> 'p' then ' persistence ' || c.relpersistence::text else '' end,
        coalesce(' with ' || c.reloptions::text, '') || coalesce(' partition by ' || pg_get_partkeydef(c.oid), '') ||
        case when c.relkind in ('v', 'm') then ' as ' || pg_get_viewdef(c.oid) else '' end) as line
      from ${relations} where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${ours}`,
  ],
  [
    'columns',
    `select format('%s.%s %s %s%s%s%s%s', ${nameOf('c.relname')}, lpad(a.attnum::text, 2, '0'), a.attname,
        format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end,
        case a.attidentity when 'a' then ' identity always' when 'd' then ' identity by default' else '' end,
        case when a.attgenerated <> '' then ' generated' else '' end,
        coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) as line
      from ${relations} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind in ('r', 'p', 'f') and ${ours}`,
  ],
  [
    'constraints',
    `select format('%s.%s %s', ${nameOf('c.relname')}, k.conname, pg_get_constraintdef(k.oid)) as line
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where ${ours} and k.contype <> 'n'`,
  ],
  [
    'indexes',
    `select pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' INVALID' end as line
      from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
      where ${ours}`,
  ],
  [
    'sequences',
    `select format('%s %s start %s from %s to %s by %s cache %s%s owner %s', ${nameOf('c.relname')},
        s.seqtypid::regtype, s.seqstart, s.seqmin, s.seqmax, s.seqincrement, s.seqcache,
        case when s.seqcycle then ' cycle' else '' end, ${roleOf('c.relowner')}) as line
      from ${relations} join pg_sequence s on s.seqrelid = c.oid where ${ours}`,
  ],
  [
    'types',
    `select format('%s %s owner %s %s', t.typtype, ${nameOf('t.typname')}, ${roleOf('t.typowner')},
        coalesce((select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid),
          (select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum)
            from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped),
          format_type(t.typbasetype, t.typtypmod))) as line
      from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
      where ${ours} and (t.typtype in ('e', 'd') or c.relkind = 'c')`,
  ],
  [
    'row-level security',
    `select format('%s %s %s for %s to %s using %s with check %s', ${nameOf('c.relname')}, p.polname,
        case when p.polpermissive then 'permissive' else 'restrictive' end,
        case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
        (select string_agg(${roleOf('r')}, ', ' order by r) from unnest(p.polroles) r),
        coalesce(pg_get_expr(p.polqual, p.polrelid), '-'), coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '-')) as line
      from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace where ${ours}`,
  ],
  [
    'triggers',
    `select pg_get_triggerdef(t.oid) || case t.tgenabled when 'O' then '' else ' enabled ' || t.tgenabled::text end as line
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where ${ours} and not t.tgisinternal`,
  ],
  [
    'functions',
    `select format(E'%s owner %s\\n%s', ${functionName}, ${roleOf('p.proowner')}, pg_get_functiondef(p.oid)) as line
      from ${functions} where ${ours} and p.prokind <> 'a'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  ],
  ['rights to schemas', privilegesOn('schema', 'n.nspname', 'n.nspacl', 'n.nspowner', 'pg_namespace n')],
  [
    'rights to tables, views and sequences',
    privilegesOn('table', nameOf('c.relname'), 'c.relacl', 'c.relowner', relations),
  ],
  [
    'rights to columns',
    privilegesOn(
      'column',
      `${nameOf('c.relname')} || '.' || t.attname`,
      't.attacl',
      'c.relowner',
      `${relations} join pg_attribute t on t.attrelid = c.oid`,
    ),
  ],
  [
    'rights to functions',
    // A function without an access list may be called by every role.
    privilegesOn(
      'function',
      functionName,
      `coalesce(p.proacl, acldefault('f', p.proowner))`,
      'p.proowner',
      functions,
    ),
  ],
  [
    'rights by default',
    `select format('%s: %s', d.defaclobjtype, replace(d.defaclacl::text, current_user, 'owner')) as line
      from pg_default_acl d`,
  ],
  [
    'roles',
    `select format('%s%s%s%s%s member of %s', r.rolname, case when r.rolsuper then ' superuser' else '' end,
        case when r.rolbypassrls then ' bypassrls' else '' end, case when r.rolcanlogin then ' login' else '' end,
        case when r.rolinherit then ' inherit' else '' end,
        coalesce((select string_agg(pg_get_userbyid(m.roleid), ', ' order by pg_get_userbyid(m.roleid)) from pg_auth_members m
          where m.member = r.oid), '-')) as line
      from pg_roles r where r.rolname in ('hengfu_app', 'hengfu_system', 'hengfu_ledger', 'hengfu_intake')`,
  ],
];
