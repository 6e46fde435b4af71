import type { Context } from 'hono'
import type { Address } from 'viem'
import type { Config } from '../config.ts'
import type { PolicyBundle } from '../domain/legal/policy-bundle.ts'
import type { Acceptance } from '../domain/legal/receipt-fault.ts'
import { findReceiptFault, type ReceiptFault } from '../domain/legal/receipt-fault.ts'
import { ServiceError } from '../errors/service-error.ts'
import { serviceHeaderNames } from '../http/header-names.ts'

/** The stored acceptances of the policies, by receipt. All processes share them. */
export interface LegalReceipts {
  /** Returns the acceptance that a receipt proves; null if the receipt is malformed or unknown. */
  find(token: string): Promise<Acceptance | null>
}

/** The policies that users must accept. `enforced` says if this process requires the acceptance. */
export interface LegalPolicies {
  bundle: PolicyBundle
  /** True if users can accept this bundle of policies now. */
  acceptanceAvailable: boolean
  /**
   * True if a write needs a receipt, which proves that the wallet accepted the policies. Withdrawals, refunds,
   * cancellations and appeals never need a receipt.
   */
  enforced: boolean
  receipts: LegalReceipts
}

/** The facts of a write that decide whether the write needs a legal receipt, and whether its receipt is valid. */
export interface LegalQuestion {
  /** True for withdrawals, refunds, cancellations and appeals. These writes need no receipt. */
  exempt: boolean
  /** The value of the request header with the legal receipt; null if the request has none. */
  receipt: string | null
  /** The payer or signer of the write; null while the payment is still missing. */
  wallet: Address | null
}

/**
 * Checks the legal receipt of a write. The check runs first without a wallet, and again with the wallet once the payer
 * or signer is proven.
 * @throws ServiceError 403 with code `LEGAL_ACCEPTANCE_REQUIRED`
 */
export type LegalCheck = (question: LegalQuestion) => Promise<void>

/**
 * The check that admits every write. By default a deployment does not require that users accept the policies, and uses
 * this check.
 */
export const admitAll: LegalCheck = async () => {}

/**
 * Creates the receipt check of this deployment. If the deployment requires that users accept its policies, the check
 * refuses a write without a receipt for the current policies. Withdrawals, refunds, cancellations and appeals need no
 * receipt.
 */
export function createLegalCheck(legal: LegalPolicies, config: Pick<Config, GateSetting>): LegalCheck {
  if (!legal.enforced) return admitAll
  return async ({ exempt, receipt, wallet }) => {
    if (exempt) return
    if (receipt === null || receipt === '') throw acceptanceRequired('no_receipt', legal, config)
    const acceptance = await legal.receipts.find(receipt)
    const fault =
      acceptance === null
        ? 'unknown_receipt'
        : findReceiptFault(acceptance, { bundleDigest: legal.bundle.digest, wallet })
    if (fault !== null) throw acceptanceRequired(fault, legal, config)
  }
}

/**
 * Checks the legal receipt in a request's header. The pipeline calls this function for relayed writes. Every other
 * route that needs a receipt calls it with the wallet before the route stores anything.
 * @throws ServiceError 403 with code `LEGAL_ACCEPTANCE_REQUIRED`
 */
export async function checkLegalReceipt(
  c: Context,
  { config, writes }: { config: Pick<Config, 'SERVICE_NAME'>; writes: { legal: LegalCheck } },
  { exempt = false, wallet }: { exempt?: boolean | undefined; wallet: Address | null },
): Promise<void> {
  const receipt = c.req.header(serviceHeaderNames(config.SERVICE_NAME).legalReceipt)?.trim() ?? null
  await writes.legal({ exempt, receipt, wallet })
}

type GateSetting = 'SERVICE_NAME' | 'PUBLIC_BASE_URL'
type Fault = ReceiptFault | 'no_receipt' | 'unknown_receipt'

const FAULTS: Record<Fault, string> = {
  no_receipt: 'This write needs a receipt that its wallet accepted the current policies; none was sent',
  unknown_receipt: 'This write needs a receipt that its wallet accepted the current policies; the one sent is unknown',
  other_bundle: 'The legal receipt is for other policies than the current ones; accept these',
  other_wallet: 'The legal receipt belongs to another wallet than the one that pays or signs this write; send its own',
}

function acceptanceRequired(
  fault: Fault,
  { bundle }: LegalPolicies,
  { SERVICE_NAME, PUBLIC_BASE_URL }: Pick<Config, GateSetting>,
): ServiceError {
  const legal = `${PUBLIC_BASE_URL}/api/legal`
  return new ServiceError(
    403,
    'unclassified',
    `${FAULTS[fault]}. Nothing was charged. Read the policies (version ${bundle.version}) at ${legal}/current, sign the ` +
      `message of POST ${legal}/challenge, send it to POST ${legal}/accept/wallet, and repeat this request with the ` +
      `receipt in ${serviceHeaderNames(SERVICE_NAME).legalReceipt}.`,
    { detail: 'legal_acceptance_required', code: 'LEGAL_ACCEPTANCE_REQUIRED' },
  )
}
