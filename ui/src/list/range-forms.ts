/** The forms of range filters, in one chunk: few users change a range. */
export { AmountForm } from './amount-form.tsx';
export { DaysForm } from './days-form.tsx';
