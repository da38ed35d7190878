-- What an operator token may do, and in which organizations (null: all). Existing tokens keep all rights, and so do
-- those that the previous version makes. That version refuses the tokens with fewer rights by their prefix.
alter table operator_tokens add column permissions text[] not null default '{*}';
alter table operator_tokens add column organization_ids text[];
