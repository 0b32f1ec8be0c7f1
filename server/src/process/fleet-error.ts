/** One of the product's processes could not start; it has printed the reason. */
export class FleetError extends Error {}
