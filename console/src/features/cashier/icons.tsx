import type { Screen } from './cashier.rules.ts';

/** Strokes of each result's sign, on a field of 24 × 24. */
const strokes: Record<Exclude<Screen, 'open'> | 'unknown', string> = {
  paid: 'M5.5 12.5l4.2 4.2L18.5 8',
  failed: 'M7 7l10 10M17 7L7 17',
  cancelled: 'M6.5 12h11',
  closed: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 7.8V12l3 1.8',
  refunded: 'M9.5 7L5.5 11l4 4M6 11h8a4 4 0 0 1 0 8h-2',
  unknown: 'M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1M12 17.4v.1',
};

/** The big sign of a result. The words beside it say the same. */
export function ResultSign({ of }: { of: keyof typeof strokes }) {
  return (
    <svg className={`sign sign-${of}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={strokes[of]} />
    </svg>
  );
}

/** A closed lock, beside the words that say whose page this is. */
export function LockSign() {
  return (
    <svg className="small-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6.5 10.5h11v8.5h-11zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5" />
    </svg>
  );
}

/** A globe, beside the language switch. */
export function GlobeSign() {
  return (
    <svg className="small-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M3.8 12h16.4M12 3.5c5 5.2 5 11.800 0 17c-5-5.200-5-11.800 0-17" />
    </svg>
  );
}

/** Points down: there is more to choose from. */
export function ChevronSign() {
  return (
    <svg className="small-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M8 10l4 4 4-4" />
    </svg>
  );
}
