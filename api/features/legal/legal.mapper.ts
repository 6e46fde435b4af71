import type { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { policySlugs } from '../../domain/legal/policy-bundle.ts'
import type { bundleSchema } from './legal.schemas.ts'

/** Returns the public form of the current policy bundle, with URLs of this deployment. */
export function toBundleView({ legal, config }: Pick<Deps, 'legal' | 'config'>): z.output<typeof bundleSchema> {
  const { bundle } = legal
  return {
    version: bundle.version,
    status: bundle.status,
    effectiveAt: bundle.effectiveAt,
    publishedAt: bundle.publishedAt,
    acceptanceAvailable: legal.acceptanceAvailable,
    enforcementEnabled: legal.enforced,
    acceptanceStatement: bundle.acceptanceStatement,
    bundleDigest: bundle.digest,
    documents: bundle.documents.map(({ type, version, title, summary, contentHash }) => ({
      type,
      slug: policySlugs[type],
      version,
      title,
      summary,
      url: `${config.PUBLIC_BASE_URL}/api/legal/documents/${contentHash.replace('sha256:', '')}`,
      contentHash,
    })),
  }
}
