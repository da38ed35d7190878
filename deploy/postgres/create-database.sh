#!/bin/sh
# Run once by the Postgres image, as the superuser, when its volume is empty: makes the server's role and its database.
# The role owns that database and nothing else: no superuser, and no right to make roles or other databases.
set -e
password_file=${DATABASE_PASSWORD_FILE:?the file with the password of the role latchkey}
if ! [ -s "$password_file" ]; then
  echo "$0: DATABASE_PASSWORD_FILE is empty or not there" >&2
  exit 1
fi
export password_file

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
-- The statement with the password stays out of the log, also when it fails.
set log_statement = 'none';
set log_min_duration_statement = -1;
set log_min_error_statement = 'panic';
\set password `cat "$password_file"`
create role latchkey login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
create database latchkey owner latchkey template template0 encoding 'UTF8';
revoke all on database latchkey from public;
revoke connect, temporary on database postgres, template1 from public;
SQL
