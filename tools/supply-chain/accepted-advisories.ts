/** A known vulnerability of a production dependency that does not affect us, until its next review. */
export interface AcceptedAdvisory {
  /** `GHSA-…` */
  readonly advisory: string;
  readonly package: string;
  /** Why it does not affect us. */
  readonly reason: string;
  /** `YYYY-MM-DD`: the check fails again from this day on. At most half a year ahead. */
  readonly expires: string;
}

/** Every advisory of high or critical severity that does not fail the build. */
export const acceptedAdvisories: readonly AcceptedAdvisory[] = [];

const maxDays = 183;
const dayMs = 86_400_000;

/** Finds entries with an invalid ID or date, without a reason, that have expired, or that expire too late. */
export function acceptedProblems(accepted: readonly AcceptedAdvisory[], now: Date): string[] {
  return accepted.flatMap(({ advisory, package: name, reason, expires }) => {
    const label = `accepted advisory ${advisory} of ${name}`;
    const days = (Date.parse(expires) - now.getTime()) / dayMs;
    return [
      ...(/^GHSA(-[0-9a-z]{4}){3}$/.test(advisory) ? [] : [`${label}: not an advisory ID`]),
      ...(reason.trim() === '' ? [`${label}: no reason`] : []),
      ...(/^\d{4}-\d\d-\d\d$/.test(expires) && !Number.isNaN(days)
        ? []
        : [`${label}: ${expires} is not a date`]),
      ...(days <= 0 ? [`${label}: expired on ${expires}; update the package, or review it again`] : []),
      ...(days > maxDays ? [`${label}: expires more than ${maxDays} days from now`] : []),
    ];
  });
}
