-- Apps that the directory shows, and where an admin returns after an installation that began with a link.
alter table apps add column listed boolean not null default false, add column setup_uri text;
-- The directory of every organization.
create index apps_listed on apps (lower(name), client_id) where listed;
