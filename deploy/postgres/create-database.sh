#!/bin/sh
# The Postgres image runs this once as the superuser, when its volume is empty. It creates the server's role and its
# database. The role owns only that database: it is no superuser and may not create roles or other databases.
set -e
password_file=${DATABASE_PASSWORD_FILE:?the file with the password of the role latchkey}
if ! [ -s "$password_file" ]; then
  echo "$0: DATABASE_PASSWORD_FILE is empty or missing" >&2
  exit 1
fi
export password_file

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
-- Keeps the statement with the password out of the log, even when it fails.
set log_statement = 'none';
set log_min_duration_statement = -1;
set log_min_error_statement = 'panic';
\set password `cat "$password_file"`
create role latchkey login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
create database latchkey owner latchkey template template0 encoding 'UTF8';
revoke all on database latchkey from public;
revoke connect, temporary on database postgres, template1 from public;
SQL
