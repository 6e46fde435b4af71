/** The four policies, in the order in which they are listed, signed and hashed. */
export const policyTypes = ['terms_of_service', 'privacy_policy', 'risk_disclosure', 'acceptable_use_policy'] as const
export type PolicyType = (typeof policyTypes)[number]

/** Short names: of the files in the policy directory, and for links of clients. */
export const policySlugs = {
  terms_of_service: 'terms',
  privacy_policy: 'privacy',
  risk_disclosure: 'risks',
  acceptable_use_policy: 'acceptable-use',
} as const satisfies Record<PolicyType, string>

export const bundleStatuses = ['draft', 'approved'] as const

/** What a bundle says about one of its policies. */
export interface PolicyFacts {
  type: PolicyType
  version: string
  title: string
  summary: string
  /** Of the file's exact bytes: `sha256:` and 64 lower-case hex digits. */
  contentHash: string
}

/** Everything that a wallet agrees to by accepting a bundle. Times are ISO 8601 in UTC. */
export interface BundleFacts {
  version: string
  status: (typeof bundleStatuses)[number]
  /** Null until an operator decides it. */
  effectiveAt: string | null
  publishedAt: string
  acceptanceStatement: string
  /** One of each type, in the order of `policyTypes`. */
  documents: readonly PolicyFacts[]
}

/** A bundle under the digest that receipts are bound to. */
export interface PolicyBundle extends BundleFacts {
  /** `sha256:` and 64 lower-case hex digits. */
  digest: string
  /** The exact text the digest was made of. */
  canonicalText: string
}
