/**
 * Names where a merchant's rows are stored. All rows of one merchant share a placement, so a transaction of merchants with the
 * same placement involves one machine. Statements for several merchants are formed per placement.
 */
export type Placement = (merchantId: bigint) => string;

/** All merchants in one database. */
export const onePlacement: Placement = () => 'main';
