-- Which request was given a moved grant: the claim of one whose connection broke can be told from that of another.
alter table grants add column claimed_by text;
