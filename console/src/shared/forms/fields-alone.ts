import type { FormState } from '@hengfu/ui/form/form-state.ts';

/** The state of fields that are edited outside a form: another dialog sends them. */
export const fieldsAlone: FormState = {
  faults: {},
  refusal: undefined,
  isBusy: false,
  submit: () => undefined,
  forget: () => undefined,
};
