import type { Screen } from './cashier.rules.ts';

const goesBack = 'M9.5 7L5.5 11l4 4M6 11h8a4 4 0 0 1 0 8h-2';

/** The path of each result's icon, in a 24 × 24 view box. */
const paths: Record<Exclude<Screen, 'open'> | 'unknown', string> = {
  paid: 'M5.5 12.5l4.2 4.2L18.5 8',
  failed: 'M7 7l10 10M17 7L7 17',
  cancelled: 'M6.5 12h11',
  closed: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 7.8V12l3 1.8',
  refunded: goesBack,
  returning: goesBack,
  notReturned: 'M12 6v7.5M12 17.4v.1',
  unknown: 'M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1M12 17.4v.1',
};

/** The large icon of a result. The text beside it says the same. */
export function ResultIcon({ of }: { of: keyof typeof paths }) {
  return (
    <svg className={`sign sign-${of}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[of]} />
    </svg>
  );
}

/** A closed lock, for the footer. */
export function LockIcon() {
  return (
    <svg className="small-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6.5 10.5h11v8.5h-11zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5" />
    </svg>
  );
}

/** A globe, for the language switch. */
export function GlobeIcon() {
  return (
    <svg className="small-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M3.8 12h16.4M12 3.5c5 5.2 5 11.800 0 17c-5-5.200-5-11.800 0-17" />
    </svg>
  );
}

/** A chevron that points down, for the language switch. */
export function ChevronIcon() {
  return (
    <svg className="small-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M8 10l4 4 4-4" />
    </svg>
  );
}
