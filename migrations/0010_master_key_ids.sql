-- Under which master key a digest was made, by the key's id; null: before this was noted. A digest is made anew
-- under the current key when its secret is next used. What is sealed can be opened, and needs no such note.
alter table app_secrets add column digest_key_id text;
alter table key_set_secrets add column digest_key_id text;
alter table resource_servers add column digest_key_id text;
alter table operator_tokens add column digest_key_id text;
