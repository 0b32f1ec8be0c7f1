import { expect, test } from 'vitest';
import { spreadsheetCell, spreadsheetText } from './spreadsheet-text.ts';

test.each([
  '=1+1',
  '+cmd|calc',
  '-cmd',
  '@SUM(A1)',
  '\t=1',
  '-1+1',
  '＝1+1',
  ' =1',
  '"=1',
  '6222021234567890123',
  '0070',
  '12E34',
  '+84901234567890',
  '+84 901 234 567',
])('%j is neither run nor changed', (text) => {
  expect(spreadsheetText(text)).toBe(`'${text}`);
});

test.each(['-5.00', '-1,234.50 CNY', '+1,00,000.00 INR', '−12.345678 USDT', '+7', '王芳', 'a=b', ''])(
  '%j stays as it is',
  (text) => {
    expect(spreadsheetText(text)).toBe(text);
    expect(spreadsheetCell(text)).toBe(`"${text}"`);
  },
);
