-- Where an app runs or is opened, whether that is inside the platform (inside, outside, hybrid), and who offers it.
alter table apps add column location text, add column kind text, add column publisher text;
