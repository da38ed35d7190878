/** The database of a test server: a copy of a migrated one, whose clock can be moved and whose rows can be restored. */
import { randomBytes } from 'node:crypto'
import { connect, migrate } from './migrate.ts'

const template = 'latchkey_template'
const lock = 7_305_202 // one test server at a time makes its database

// An unqualified name means a function of this schema before one of pg_catalog. So all statements and column defaults
// have the clock of the test server.
const clock = `
alter database ${template} set search_path = public, pg_catalog;
create table if not exists public.test_clock (ahead interval not null);
insert into public.test_clock select '0' where not exists (select from public.test_clock);
create or replace function public.now() returns timestamptz language sql stable parallel safe
  as 'select pg_catalog.now() + ahead from public.test_clock';
create or replace function public.clock_timestamp() returns timestamptz language sql volatile parallel safe
  as 'select pg_catalog.clock_timestamp() + ahead from public.test_clock'`

/** Keys that a resource server may have cached stay valid; the clock has its own reset. */
const never = `'{migrations,signing_keys,longest_token_lifetime,test_clock}'`

const eachTable = (body: string) => `
do $$ declare one text; filled boolean; names text; begin
  for one in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not relispartition and relname <> all(${never}::text[]) loop ${body} end loop;
end $$`

const keep = `create schema seeded; ${eachTable(`
  execute format('select exists (select from public.%I)', one) into filled;
  if filled then execute format('create table seeded.%1$I as table public.%1$I', one); end if;`)}`

// Without triggers and foreign keys, the order of the tables does not matter.
const restore = `set session_replication_role = replica; ${eachTable(`
  execute format('delete from public.%I', one);
  if to_regclass(format('seeded.%I', one)) is not null then
    select string_agg(quote_ident(attname), ', ') into names from pg_attribute
     where attrelid = format('public.%I', one)::regclass and attnum > 0 and not attisdropped and attgenerated = '';
    execute format('insert into public.%1$I (%2$s) overriding system value select %2$s from seeded.%1$I', one, names);
  end if;`)}; reset session_replication_role`

/** Databases of test servers that were killed: a living one keeps a connection. */
const left = `
select datname from pg_database d where datname like 'test\\_%'
   and not exists (select from pg_stat_activity a where a.datname = d.datname)`

const open = async (url: string) => {
  const client = await connect(url)
  client.on('error', () => undefined)
  return client
}

/** @param urlOf the address of a database of this name */
export const createTestDatabase = async (urlOf: (name: string) => string) => {
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = urlOf(name)
  const admin = await open(urlOf('postgres'))
  const make = async () => {
    await admin.query(`select pg_advisory_lock(${lock})`)
    for (const { datname } of (await admin.query<{ datname: string }>(left)).rows)
      await admin.query(`drop database ${datname} with (force)`)
    const found = await admin.query('select from pg_database where datname = $1', [template])
    if (!found.rowCount) await admin.query(`create database ${template} template template0`)
    const made = await open(urlOf(template))
    await made.query(clock)
    await made.end()
    await migrate(urlOf(template))
    await admin.query(`create database ${name} template ${template}`)
    await admin.query(`alter database ${name} set search_path = public, pg_catalog`)
    await admin.query(`alter database ${name} set synchronous_commit = off`)
    return open(url)
  }
  const own = await make().finally(() => admin.end())

  return {
    url,
    /** Keeps the present rows for `restore`. */
    keep: () => own.query(keep),
    /** Puts back the kept rows, and the clock. */
    restore: () => own.query(`${restore}; update test_clock set ahead = '0'`),
    setClock: (to: string) =>
      own.query('update test_clock set ahead = $1::timestamptz - pg_catalog.clock_timestamp()', [
        to,
      ]),
    advanceClock: (seconds: number) =>
      own.query(`update test_clock set ahead = ahead + $1 * interval '1 second'`, [seconds]),
    /** How often the user's credentials have changed; null: there is no such user. */
    userEpoch: async (id: string): Promise<number | null> => {
      const { rows } = await own.query('select credentials_epoch from users where id = $1', [id])
      return rows[0]?.credentials_epoch ?? null
    },
    drop: async () => {
      await own.end()
      const last = await open(urlOf('postgres'))
      await last.query(`drop database if exists ${name} with (force)`).finally(() => last.end())
    },
  }
}

export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>
