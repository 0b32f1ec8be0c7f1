/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
