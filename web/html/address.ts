import { html } from 'hono/html'
import type { Html } from './html.ts'

/** Shortens a long hex value to its start and end. Example: `0x15d3…6A65`. */
export function shortened(hex: string): string {
  return hex.length <= 14 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

/**
 * Renders a worker's address as a link to the worker's page.
 * @param agentId ERC-8004 id of the worker; null if the worker is not registered
 */
export function agentLink(address: string, agentId?: string | null): Html {
  return accountLink(address, `/agents/${address}`, agentId)
}

/** Renders a requester's address as a link to the requester's page. */
export function requesterLink(address: string, agentId?: string | null): Html {
  return accountLink(address, `/requesters/${address}`, agentId)
}

function accountLink(address: string, href: string, agentId?: string | null): Html {
  const name = agentId == null ? null : html` <small class="soft">agent ${agentId}</small>`
  return html`<span class="account"><a class="hex" href="${href}" title="${address}">${shortened(address)}</a>${name}</span>`
}

/** Renders a whole address or hash. If scripts run, a click copies the value. */
export function whole(hex: string): Html {
  return html`<button class="copy hex whole" type="button" data-copy="${hex}">${hex}</button>`
}

/**
 * Renders a shortened address or hash, with the whole value as its tooltip. With scripts, a click copies the whole
 * value.
 */
export function short(hex: string): Html {
  return html`<button class="copy hex" type="button" title="${hex}" data-copy="${hex}">${shortened(hex)}</button>`
}

/** Functions that render links to the chain's block explorer, or values without a link if there is no explorer. */
export interface Explorer {
  /** Renders a link to a transaction. The link's text is `text`; by default it is the shortened hash. */
  transaction(hash: string, text?: string): Html
  /** Renders a link to a contract or an account. */
  account(address: string): Html
}

/**
 * Creates the functions that render links to a block explorer. Example: `createExplorer('https://basescan.org')` links
 * to `https://basescan.org/tx/0x…`.
 * @param url start of the explorer's URLs; undefined if there is no explorer
 */
export function createExplorer(url: string | undefined): Explorer {
  const link = (href: string, text: string, hex: string) =>
    html`<a class="hex" href="${href}" rel="noopener" title="${hex}">${text}</a>`
  return {
    transaction: (hash, text) =>
      url === undefined
        ? html`<code class="hex" title="transaction ${hash}">tx ${shortened(hash)}</code>`
        : link(`${url}/tx/${hash}`, text ?? shortened(hash), `transaction ${hash}`),
    account: (address) =>
      url === undefined ? short(address) : link(`${url}/address/${address}`, shortened(address), address),
  }
}
