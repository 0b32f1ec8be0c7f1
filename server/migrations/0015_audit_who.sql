-- Says more about who acted: the roles that a person had then, and the browser as it names itself.
-- locks: columns without a default change no row.
alter table audit add column roles text[];
alter table audit add column user_agent text;
