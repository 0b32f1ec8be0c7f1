import { expect, test } from 'vitest';
import { webUrl } from './web-url.ts';

test.each([
  'https://shop.example',
  'http://127.0.0.1:8080/told?order=1#done',
  'https://cửa-hàng.example/đơn?x=%0d%0a',
  'https://shop.example/@user',
])('accepts %s', (url) => {
  expect(webUrl.safeParse(url).data).toBe(url);
});

test.each([
  '',
  'shop.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  'https://shop.example\\@evil.example',
  'https://shop.example@evil.example/',
  'https://user:secret@evil.example/',
  '%2f%2fevil.example',
  'https:%2f%2fevil.example',
  'javascript:alert(1)',
  'javascript://shop.example/%0aalert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://shop.example/',
  'https://shop.example/\r\nset-cookie: a=b',
  'https://shop.example/\tx',
  'https://shop.example/\u202Egpj.exe',
  'https://shop.example/ x',
  'https://',
  'https://@/',
  `https://shop.example/${'x'.repeat(2048)}`,
])('rejects %j', (url) => {
  expect(webUrl.safeParse(url).success).toBe(false);
});
