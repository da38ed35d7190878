-- Names, ids and e-mail addresses that can be found by their beginnings, without case and accents.

-- A text in the form in which texts are compared. A database in SQL_ASCII has no Unicode, so there only case is ignored.
create function search_fold(given text) returns text language plpgsql immutable parallel safe as $$
declare
  folded text := lower(given);
begin
  if octet_length(given) <> length(given) and current_setting('server_encoding') = 'UTF8' then
    -- Marks that are written above, below or through letters.
    folded := regexp_replace(normalize(given, nfkd), '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+', '', 'g');
    -- Letters that do not decompose, and those whose case `lower` knows in some locales only.
    folded := translate(lower(folded),
      'øłđħŧıðØŁĐĦŦÐÆŒẞςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ',
      'oldhtidoldhtdæœßσαβγδεζηθικλμνξοπρστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ');
    folded := replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  else
    folded := replace(folded, 'ı', 'i');
  end if;
  if folded ~ '[\s\u0001-\u001f\u007f]' then
    folded := btrim(regexp_replace(folded, '[\s\u0001-\u001f\u007f]+', ' ', 'g'));
  end if;
  return left(folded, 500);
end
$$;

-- The words of a folded text. Signs separate words; a text of signs only is its own word.
create function search_words(folded text) returns text[] language plpgsql immutable parallel safe as $$
declare
  signs text := '\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f';
  words text[];
begin
  if octet_length(folded) <> length(folded) then
    signs := signs || '\u0080-\u00bf\u2000-\u206f\u3000-\u3004\u3008-\u3020\u30fb';
  end if;
  words := array_remove(string_to_array(regexp_replace(folded, '[' || signs || ']+', ' ', 'g'), ' '), '');
  return case when cardinality(words) = 0 and folded <> '' then array[folded] else words end;
end
$$;

-- What can be found: each word of the name, and the whole of the name and of each key behind a sign that no word has.
create function search_vector(name text, key text, second_key text default null) returns tsvector
language plpgsql immutable parallel safe set search_path from current as $$
declare
  folded text := search_fold(name);
begin
  return array_to_tsvector(search_words(folded) || array[
    E'\u0001' || folded, E'\u0001' || search_fold(key), E'\u0001' || coalesce(search_fold(second_key), folded)]);
end
$$;

-- Each word of the text begins a word, or the whole text begins a key. `exact`: the text is the name or a key.
create function search_query(given text, exact boolean) returns tsquery
language plpgsql immutable parallel safe set search_path from current as $$
declare
  folded text := search_fold(given);
  whole text := '''' || E'\u0001' || replace(replace(folded, '\', '\\'), '''', '''''') || '''';
begin
  if folded = '' then return E'\u0002'::tsquery; end if;
  if exact then return whole::tsquery; end if;
  return (whole || ':* | ' || (
    select string_agg(distinct '''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')
      from unnest(search_words(folded)) word))::tsquery;
end
$$;

-- Without a list of pending entries, which each search would read through.
create index organizations_search on organizations using gin (search_vector(name, id)) with (fastupdate = off);
create index workspaces_search on workspaces using gin (search_vector(name, id)) with (fastupdate = off);
create index apps_search on apps using gin (search_vector(name, client_id)) with (fastupdate = off);
create index users_search on users using gin (search_vector(name, id, email)) with (fastupdate = off);
create index key_sets_search on key_sets using gin (search_vector(name, id, client_id)) with (fastupdate = off);
create index resource_servers_search on resource_servers using gin (search_vector(name, client_id)) with (fastupdate = off);
