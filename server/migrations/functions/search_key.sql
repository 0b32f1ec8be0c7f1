-- Normalizes text for searching: without diacritics, case, spaces and separators. "Nguyễn Văn A" and "nguyenvana" are
-- equal, and so are "6222 0212" and "62220212".
create or replace function search_key(text) returns text
  language sql immutable parallel safe strict
  as $$
    select lower(regexp_replace(translate(normalize($1, NFKD), 'đĐøØłŁı', 'dDoOlLi'), '[\u0300-\u036f\s.+()/''’·-]', '', 'g'))
  $$;
