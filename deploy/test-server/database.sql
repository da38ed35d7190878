-- The template of the databases of test servers, before the migrations. It may run again.

-- An unqualified name means a function of this schema before one of pg_catalog (search_path), so all statements and
-- column defaults have the clock of the test server.
create table if not exists test_clock (ahead interval not null);
insert into test_clock select '0' where not exists (select from test_clock);
create or replace function public.now() returns timestamptz language sql stable parallel safe
  as 'select pg_catalog.now() + ahead from public.test_clock';
create or replace function public.clock_timestamp() returns timestamptz language sql volatile parallel safe
  as 'select pg_catalog.clock_timestamp() + ahead from public.test_clock';

create or replace procedure test_move_clock(wanted timestamptz, seconds integer) language sql as $$
  update test_clock set ahead =
    coalesce(wanted - pg_catalog.clock_timestamp(), ahead + seconds * interval '1 second')
$$;

-- What a reset puts back. Signing keys stay, because resource servers have cached them; the clock has its own reset.
create or replace view test_tables as
select relname::text as name from pg_class
 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
   and relname not in ('migrations', 'signing_keys', 'longest_token_lifetime', 'test_clock');

create or replace procedure test_keep() language plpgsql as $$
declare
  one text;
  filled boolean;
begin
  create schema seeded;
  for one in select name from test_tables loop
    execute format('select exists (select from public.%I)', one) into filled;
    if filled then
      execute format('create table seeded.%1$I as table public.%1$I', one);
    end if;
  end loop;
end $$;

create or replace procedure test_restore() language plpgsql as $$
declare
  one text;
  names text;
begin
  -- Without triggers and foreign keys, the order of the tables does not matter.
  set local session_replication_role = replica;
  for one in select name from test_tables loop
    execute format('delete from public.%I', one);
    if to_regclass(format('seeded.%I', one)) is not null then
      select string_agg(quote_ident(attname), ', ') into names from pg_attribute
       where attrelid = format('public.%I', one)::regclass and attnum > 0 and not attisdropped and attgenerated = '';
      execute format(
        'insert into public.%1$I (%2$s) overriding system value select %2$s from seeded.%1$I', one, names);
    end if;
  end loop;
  update test_clock set ahead = '0';
end $$;
