import { useMemo } from 'react';
import { encode } from 'uqr';

/** White border that scanners need, in modules (ISO/IEC 18004, 5.3.8). */
const quietZone = 4;

/** A QR code. Black on white even in the dark theme, because scanners may not read anything else. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { size, path } = useMemo(() => drawing(content), [content]);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Builds the SVG path, one rectangle per horizontal run of dark modules. */
function drawing(content: string): { size: number; path: string } {
  const { data, size } = encode(content, { ecc: 'M', border: quietZone });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return { size, path: runs.join('') };
}
