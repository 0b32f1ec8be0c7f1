import { drawQr } from '@hengfu/ui/values/qr-drawing.ts';

/** Pixels of a module in a PNG: sharp when it is printed as large as a hand. */
const pixelsPerModule = 24;
/** Pixels until which a browser certainly draws. */
const maxPixels = 4096;

/** Writes a QR code as an SVG file. */
export function qrSvg(content: string): Blob {
  const { size, path } = drawQr(content);
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`;
  return new Blob([text], { type: 'image/svg+xml' });
}

/** Draws a QR code as a PNG file; undefined if the browser cannot draw. */
export async function qrPng(content: string): Promise<Blob | undefined> {
  const { size, path } = drawQr(content);
  const scale = Math.min(pixelsPerModule, Math.floor(maxPixels / size));
  const canvas = document.createElement('canvas');
  canvas.width = size * scale;
  canvas.height = size * scale;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.scale(scale, scale);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size, size);
  context.fillStyle = '#000';
  context.fill(new Path2D(path));
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
}
