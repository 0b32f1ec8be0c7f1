/** A known vulnerability of a production dependency that does not reach us, until somebody looks again. */
export interface AcceptedAdvisory {
  /** `GHSA-…` */
  readonly advisory: string;
  readonly package: string;
  /** Why it does no harm here. */
  readonly reason: string;
  /** `YYYY-MM-DD`: from this day on the check fails again. At most half a year ahead. */
  readonly expires: string;
}

/** Every advisory of high or critical severity that the build lives with. */
export const acceptedAdvisories: readonly AcceptedAdvisory[] = [];

const longestDays = 183;
const dayMs = 86_400_000;

/** Finds entries without a reason, with a wrong date, that have expired, or that run for too long. */
export function acceptedProblems(accepted: readonly AcceptedAdvisory[], now: Date): string[] {
  return accepted.flatMap(({ advisory, package: name, reason, expires }) => {
    const place = `accepted advisory ${advisory} of ${name}`;
    const days = (Date.parse(expires) - now.getTime()) / dayMs;
    return [
      ...(/^GHSA(-[0-9a-z]{4}){3}$/.test(advisory) ? [] : [`${place}: that is no advisory's id`]),
      ...(reason.trim() === '' ? [`${place}: there is no reason`] : []),
      ...(/^\d{4}-\d\d-\d\d$/.test(expires) && !Number.isNaN(days)
        ? []
        : [`${place}: ${expires} is no date`]),
      ...(days <= 0 ? [`${place}: expired on ${expires}; update the package, or look again`] : []),
      ...(days > longestDays ? [`${place}: expires more than ${longestDays} days from now`] : []),
    ];
  });
}
