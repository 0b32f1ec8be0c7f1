/** Whatever JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
