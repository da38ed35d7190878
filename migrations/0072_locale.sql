-- The language that the user has chosen for pages and mails, as a tag (BCP 47). null: the browser decides.
alter table users add column locale text;
