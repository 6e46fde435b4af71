import { acceptanceText, type Client } from '../../../client/src/index.ts'
import { fillDialog } from '../dialog.ts'
import { h } from '../dom.ts'
import { keepReceipt } from './receipts.ts'

/**
 * Shows the policies of the service, and asks for the wallet's signature that accepts them.
 * @param next runs after the policies were accepted
 */
export async function showPolicies(
  dialog: HTMLDialogElement,
  { http, context }: Client,
  next: () => void,
): Promise<void> {
  const { account } = context
  if (account === null) return
  const walletAddress = account.address
  const { data: challenge } = await http.POST('/api/legal/challenge', { body: { walletAddress } })
  if (challenge === undefined || acceptanceText(challenge, walletAddress) !== challenge.message) {
    fillDialog(dialog, 'Not done', [
      h('p', { class: 'note bad' }, 'The policies of this service cannot be accepted now. Nothing was signed.'),
    ])
    return
  }
  const { bundle, nonce, message } = challenge
  const problem = h('p', { class: 'wrong', role: 'alert' })
  const accept = async () => {
    try {
      const { data, error } = await http.POST('/api/legal/accept/wallet', {
        body: {
          walletAddress,
          nonce,
          signature: await account.signMessage({ message }),
          bundleVersion: bundle.version,
          bundleDigest: bundle.bundleDigest,
          agreedToTerms: true,
          agreedToAcceptableUse: true,
          acknowledgedRisk: true,
          receivedPrivacyNotice: true,
        },
      })
      if (data === undefined) throw new Error(error?.error ?? 'The service does not take the acceptance now.')
      keepReceipt(walletAddress, data.receipt)
      next()
    } catch (error) {
      problem.textContent = `${(error as Error).message} Nothing was accepted.`
    }
  }
  fillDialog(dialog, 'Accept the policies first', [
    h(
      'p',
      {},
      'This service asks everyone who acts to accept its policies. Read them; your wallet then signs that you accept.',
    ),
    h(
      'ul',
      { class: 'tight' },
      bundle.documents.map(({ title, version, url }) =>
        h('li', {}, h('a', { href: url, target: '_blank', rel: 'noopener' }, title), ` (${version})`),
      ),
    ),
    h('p', {}, bundle.acceptanceStatement),
    problem,
    h(
      'p',
      { class: 'row' },
      h('button', { class: 'button', type: 'button', onclick: () => void accept() }, 'Accept and go on'),
      h('button', { class: 'button quiet', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
    ),
  ])
}
