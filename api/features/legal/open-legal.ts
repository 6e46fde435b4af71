import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import type { LegalPolicies } from '../../writes/legal-acceptance.ts'
import { isBundleKept, keepBundle, keepDocument } from './documents.queries.ts'
import { createLegalReceipts } from './legal-receipts.ts'
import { type ReadBundle, readBundle } from './read-bundle.ts'

/** The mark of the texts that come with the service, absent in those of an operator. */
const TEMPLATE_MARK = 'This is a template'

export interface LegalSource {
  sql: Database
  config: Pick<Config, 'LEGAL_DIRECTORY' | 'LEGAL_ENFORCEMENT' | 'ENVIRONMENT'>
  log: Logger
}

/**
 * Reads the policies, stores them in the database and returns how acceptance works in this process. A draft can be
 * accepted in the environment `local` alone, so that clients can be developed against it. Its receipts end with it,
 * because the status is in the digest.
 * @throws Error with the remedy: the files, an enforced draft, a version with two bundles
 */
export async function openLegal({ sql, config, log }: LegalSource): Promise<LegalPolicies> {
  const policies = await readPolicies(config)
  const { bundle } = policies
  if (bundle.status === 'approved' && isTemplate(policies)) {
    log.warn({ directory: config.LEGAL_DIRECTORY }, 'approved policies contain the template mark')
  }
  await publish(sql, policies)
  log.info({ version: bundle.version, digest: bundle.digest, enforced: config.LEGAL_ENFORCEMENT }, 'policies published')
  return {
    bundle,
    acceptanceAvailable: bundle.status === 'approved' || config.ENVIRONMENT === 'local',
    enforced: config.LEGAL_ENFORCEMENT,
    receipts: createLegalReceipts(sql),
  }
}

/** Reads the policies without storing them. @throws Error with the remedy: the files, an enforced draft */
export async function readPolicies(config: Pick<Config, 'LEGAL_DIRECTORY' | 'LEGAL_ENFORCEMENT'>): Promise<ReadBundle> {
  const policies = await readBundle(config.LEGAL_DIRECTORY)
  if (!config.LEGAL_ENFORCEMENT || policies.bundle.status === 'approved') return policies
  throw new Error(
    `LEGAL_ENFORCEMENT is on, but the policies in ${config.LEGAL_DIRECTORY} are a draft, which binds no wallet. ` +
      'Set "status" in bundle.json to "approved" once they are, or turn LEGAL_ENFORCEMENT off.',
  )
}

function isTemplate({ texts }: ReadBundle): boolean {
  return [...texts.values()].some((text) => text.includes(TEMPLATE_MARK))
}

/** Stores a bundle with its documents in one transaction. */
async function publish(sql: Database, { bundle, texts }: ReadBundle): Promise<void> {
  await sql.begin(async (tx) => {
    for (const [contentHash, body] of texts) await keepDocument(tx, contentHash, body)
    await keepBundle(tx, bundle)
    if (await isBundleKept(tx, bundle.digest)) return
    throw new Error(
      `Version ${bundle.version} of the policies was approved before with other contents, and wallets may have ` +
        'accepted those. Give the changed bundle another "version" in bundle.json.',
    )
  })
}
