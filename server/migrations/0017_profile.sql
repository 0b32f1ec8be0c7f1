-- How a person wants to be told things; null: the merchant's zone, the browser's language.
alter table app_user
  add zone text,
  add language text check (language in ('zh-cn', 'en', 'vi'));
