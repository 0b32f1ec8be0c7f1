/** The icons of the frame and the sign-in page: 24 × 24, drawn with strokes in the text's colour. */
const paths = {
  dashboard: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  receive: 'M12 3v11m0 0-4.5-4.5M12 14l4.5-4.5M4 15v3.5A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.5V15',
  send: 'M12 15V4m0 0L7.5 8.5M12 4l4.5 4.5M4 15v3.5A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.5V15',
  topUp:
    'M3.5 7.5A2 2 0 0 1 5.5 5.5H17v3m-13.5-1a2 2 0 0 0 2 2H18a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5.5a2 2 0 0 1-2-2zM12 11.5v5M9.5 14h5',
  withdraw:
    'M3.5 7.5A2 2 0 0 1 5.5 5.5H17v3m-13.5-1a2 2 0 0 0 2 2H18a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5.5a2 2 0 0 1-2-2zM9 14h6',
  funds: 'M4 20h16M6 20v-6m4 6V9m4 11v-8m4 8V5',
  settings: 'M4 7h9m4 0h3M4 12h3m4 0h9M4 17h7m4 0h5M15 5v4M9 10v4M13 15v4',
  exports:
    'M14 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8zm0 0V8h4.5M12 11v6m0 0-2.5-2.5M12 17l2.5-2.5',
  contact:
    'M5 18.5V12a7 7 0 0 1 14 0v6.5M5 13.5H4a1 1 0 0 0-1 1V17a1 1 0 0 0 1 1h1zm14 0h1a1 1 0 0 1 1 1V17a1 1 0 0 1-1 1h-1zm0 4.5a3 3 0 0 1-3 2.5h-3',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  sidebarOpen: 'M4 5h16v14H4zM9.5 5v14M16 9.5 13.5 12l2.5 2.5',
  sidebarClosed: 'M4 5h16v14H4zM9.5 5v14M13.5 9.5 16 12l-2.5 2.5',
  close: 'M6 6l12 12M18 6 6 18',
  chevron: 'M9 6l6 6-6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  fullscreen: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  fullscreenExit: 'M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5',
  language:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zm0 0c2.3 2.3 3.5 5.2 3.5 8.5s-1.2 6.2-3.5 8.5c-2.3-2.3-3.5-5.2-3.5-8.5s1.2-6.2 3.5-8.5zM3.5 12h17',
  sun: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 2.5v2M12 19.5v2M4.5 4.5 6 6M18 18l1.5 1.5M2.5 12h2M19.5 12h2M4.5 19.5 6 18M18 6l1.5-1.5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.8-3.5 3.8-5.5 7.5-5.5s6.7 2 7.5 5.5',
  shield: 'M12 3.5 5 6v5.5c0 4.2 2.8 7.3 7 9 4.2-1.7 7-4.8 7-9V6zM9 12l2.2 2.2L15 10.5',
  signOut: 'M14 4.5H6.5A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5H14M10 12h10.5m0 0L17 8.5m3.5 3.5L17 15.5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  eyeOff:
    'M4 4l16 16M9.9 5.7A9.6 9.6 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.4M14.1 14.2A3 3 0 0 1 9.8 9.9M6.3 7.3A17 17 0 0 0 2.5 12S6 18.5 12 18.5c1.5 0 2.9-.4 4.1-1',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4v5h-5',
  closeOthers: 'M4 7h7v10H4zM15 9.5l5 5M20 9.5l-5 5',
  closeLeft: 'M20 5v14M4 12h11M8.5 7.5 4 12l4.5 4.5',
  closeRight: 'M4 5v14M9 12h11M15.5 7.5 20 12l-4.5 4.5',
  closeAll: 'M8 4h12v12M4 8h12v12H4zM7.5 11.5l5 5M12.5 11.5l-5 5',
  textSize: 'M3 19 8.5 5 14 19M5 14.5h7M15.5 19l3-7.5 3 7.5M16.5 16.5h4',
  palette:
    'M12 3.5a8.5 8.5 0 0 0 0 17c1.4 0 2-.9 2-1.8 0-1.4-1.2-1.6-1.2-2.8 0-.9.8-1.4 1.7-1.4h2.2c2.1 0 3.8-1.6 3.8-3.8 0-4.1-3.8-7.2-8.5-7.2zM7.5 12.5v-.01M9.5 8.5v-.01M14.5 8v-.01',
  keyboard: 'M3 6.5h18v11H3zM6.5 10h.1m3.6 0h.1m3.6 0h.1m3.6 0h.1M8 14h8',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm4.8 11.3L20 20',
  bell: 'M12 3.5a5.5 5.5 0 0 0-5.5 5.5v3.5L4.5 16.5h15l-2-4V9A5.5 5.5 0 0 0 12 3.5zM9.7 19.5a2.4 2.4 0 0 0 4.6 0',
  alert: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.3',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside words: it says nothing of its own to a screen reader. `size` in pixels. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
