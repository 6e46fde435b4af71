/** The types of the four policies, in the order in which the policies are listed, signed and hashed. */
export const policyTypes = ['terms_of_service', 'privacy_policy', 'risk_disclosure', 'acceptable_use_policy'] as const
export type PolicyType = (typeof policyTypes)[number]

/** The short name of each policy, used in links and in file names of the policy directory. */
export const policySlugs = {
  terms_of_service: 'terms',
  privacy_policy: 'privacy',
  risk_disclosure: 'risks',
  acceptable_use_policy: 'acceptable-use',
} as const satisfies Record<PolicyType, string>

export const bundleStatuses = ['draft', 'approved'] as const

/** The facts about one policy of a bundle. */
export interface PolicyFacts {
  type: PolicyType
  version: string
  title: string
  summary: string
  /** The hash of the policy file's exact bytes: `sha256:` and 64 lower-case hex digits. */
  contentHash: string
}

/** The facts that a wallet agrees to by accepting a bundle. Times are ISO 8601 in UTC. */
export interface BundleFacts {
  version: string
  status: (typeof bundleStatuses)[number]
  /** The time from which the bundle is effective. Null if the operator has not set the time. */
  effectiveAt: string | null
  publishedAt: string
  acceptanceStatement: string
  /** The policies, one of each type, in the order of `policyTypes`. */
  documents: readonly PolicyFacts[]
}

/** A policy bundle with its digest. Receipts of acceptance contain the digest. */
export interface PolicyBundle extends BundleFacts {
  /** The bundle's digest: `sha256:` and 64 lower-case hex digits. */
  digest: string
  /** The canonical JSON text whose hash is the digest. */
  canonicalText: string
}
