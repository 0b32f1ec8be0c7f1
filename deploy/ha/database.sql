-- Creates the product's role and database, once, on the leader as the superuser:
--   psql -v ON_ERROR_STOP=1 -f database.sql
create role hengfu login createrole password '${HA_OWNER_PASSWORD}';
-- The metrics show synchronous standbys, and the main alert needs them.
grant pg_monitor to hengfu;
create database hengfu owner hengfu;
