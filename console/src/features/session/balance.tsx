import styles from './login-page.module.css';

/** The three entries on the left add up to the one on the right. Figures read the same in every language. */
const left = ['86,200.00', '31,750.00', '10,450.00'];
const right = ['128,400.00'];
const lineHeight = 30;

/** The logo drawn large: a balance whose pans hold the two sides of a ledger. Decorative only. */
export function Balance() {
  return (
    <svg className={styles.balance} viewBox="0 0 460 316" fill="none" aria-hidden="true" focusable="false">
      <g
        stroke="#ffffff"
        strokeOpacity="0.85"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M90 44h280M230 20v278M186 298h88" />
        <path d="M46 128 90 44l44 84M326 128l44-84 44 84" strokeOpacity="0.5" />
        <path
          d="M34 128h112a56 34 0 0 1-112 0zM314 128h112a56 34 0 0 1-112 0z"
          fill="#ffffff"
          fillOpacity="0.12"
        />
      </g>
      <circle cx="230" cy="14" r="7" fill="#7fc0ff" />
      <Entries entries={left} x={146} />
      <Entries entries={right} x={426} />
      <path d="M34 292h112M34 296h112M314 292h112M314 296h112" stroke="#7fc0ff" strokeOpacity="0.9" />
    </svg>
  );
}

function Entries({ entries, x }: { entries: readonly string[]; x: number }) {
  return entries.map((entry, row) => (
    <text key={entry} x={x} y={212 + row * lineHeight} textAnchor="end" className={styles.entry}>
      {entry}
    </text>
  ));
}
