import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Language } from '@hengfu/contract/languages';
import PDFDocument from 'pdfkit';

/** The texts of a receipt in one language, and its look. */
export interface PrintedReceipt {
  language: Language;
  /** The merchant's color; null: none. */
  color: string | null;
  /** A PNG. */
  logo: Uint8Array | null;
  merchant: string;
  title: string;
  amount: string;
  state: string;
  isPaid: boolean;
  rows: (readonly [label: string, value: string])[];
  notes: string[];
  /** Where the receipt can be checked. */
  url: string;
}

/** Has the letters of all three languages. Only those that a receipt uses become part of its file. */
const font = (weight: string, file: string) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans-sc/${weight}/${file}.ttf`));
const regular = font('400Regular', 'NotoSansSC_400Regular');
const bold = font('700Bold', 'NotoSansSC_700Bold');

const margin = 40;
const labelWidth = 112;
const logoSide = 36;
const ink = { text: '#172033', muted: '#566175', line: '#dfe4ec', good: '#0a7a4b', calm: '#51607a' };
const plainColor = '#006bd9';

type Page = PDFKit.PDFDocument;

/** Draws a receipt on A5; long texts continue on further pages. Texts are drawn as they are: nothing in them is markup. */
export async function drawReceipt(receipt: PrintedReceipt): Promise<Uint8Array> {
  const page = new PDFDocument({
    size: 'A5',
    margin,
    font: regular,
    lang: receipt.language,
    displayTitle: true,
    info: { Title: `${receipt.title} · ${receipt.merchant}`, Author: receipt.merchant },
  });
  const content = buffer(page);
  page.registerFont('regular', regular).registerFont('bold', bold);
  page.rect(0, 0, page.page.width, 6).fill(receipt.color ?? plainColor);
  drawHead(page, receipt);
  for (const row of receipt.rows) drawRow(page, row);
  drawFoot(page, receipt);
  page.end();
  return content;
}

function drawHead(page: Page, { merchant, logo, title, amount, state, isPaid }: PrintedReceipt): void {
  const left = logo ? margin + logoSide + 10 : margin;
  const width = page.page.width - margin - left;
  if (logo) page.image(Buffer.from(logo), margin, margin, { fit: [logoSide, logoSide] });
  page.font('bold').fontSize(12).fillColor(ink.text);
  const height = page.heightOfString(merchant, { width });
  page.text(merchant, left, margin + Math.max(0, (logoSide - height) / 2), { width });
  page.font('regular').fontSize(11).fillColor(ink.muted);
  page.text(title, margin, Math.max(page.y, margin + logoSide) + 18);
  page.font('bold').fontSize(22).fillColor(ink.text).text(amount);
  page
    .fontSize(11)
    .fillColor(isPaid ? ink.good : ink.calm)
    .text(state);
  page.y += 12;
}

function drawRow(page: Page, [label, value]: readonly [string, string]): void {
  const width = page.page.width - 2 * margin;
  const valueWidth = width - labelWidth - 8;
  page.font('regular').fontSize(9);
  const height = Math.max(
    page.heightOfString(label, { width: labelWidth }),
    page.heightOfString(value, { width: valueWidth }),
  );
  const room = page.page.height - margin - page.y;
  if (height + 10 > room && height < page.page.height - 2 * margin) page.addPage();
  const top = page.y;
  page
    .moveTo(margin, top)
    .lineTo(margin + width, top)
    .lineWidth(0.5)
    .strokeColor(ink.line)
    .stroke();
  page.fillColor(ink.muted).text(label, margin, top + 5, { width: labelWidth });
  page.fillColor(ink.text).text(value, margin + labelWidth + 8, top + 5, { width: valueWidth });
  page.y = Math.max(page.y, top + 5 + height) + 5;
}

function drawFoot(page: Page, { notes, url }: PrintedReceipt): void {
  const width = page.page.width - 2 * margin;
  page.y += 10;
  page.font('regular').fontSize(8).fillColor(ink.muted);
  for (const note of notes) page.text(note, margin, page.y, { width });
  page.y += 4;
  page.fillColor(ink.text).text(url, margin, page.y, { width, link: url });
}
