export const shareLink = {
  link: 'Link',
  qr: 'QR code that opens {{name}}',
  png: 'QR code as PNG',
  svg: 'QR code as SVG',
  share: 'Share',
};
