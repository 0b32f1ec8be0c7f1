/**
 * Hengfu's logo, a balance with two level pans (衡 means the beam of a balance). Hidden from screen readers,
 * because it appears beside the name. `size` in CSS pixels.
 */
export function BrandMark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0a5fc2" />
      <g fill="none" stroke="#fff" strokeWidth={2.4} strokeLinecap="round" strokeLinejoin="round">
        <path d="M7 10.5h18M16 7v17M11.5 24.5h9" />
        <path d="M4.5 17.5 8 10.5l3.5 7a3.5 3.5 0 0 1-7 0zM20.5 17.5 24 10.5l3.5 7a3.5 3.5 0 0 1-7 0z" />
      </g>
    </svg>
  );
}
