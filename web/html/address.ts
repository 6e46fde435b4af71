import { html } from 'hono/html'
import type { Html } from './html.ts'

/** The start and the end of a long hex value. Example: `0x15d3…6A65`. */
export function shortened(hex: string): string {
  return hex.length <= 14 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

/** A worker, with a link to its record. `agentId`: its ERC-8004 id. */
export function agentLink(address: string, agentId?: string | null): Html {
  return accountLink(address, `/agents/${address}`, agentId)
}

/** A requester, with a link to its record. */
export function requesterLink(address: string, agentId?: string | null): Html {
  return accountLink(address, `/requesters/${address}`, agentId)
}

function accountLink(address: string, href: string, agentId?: string | null): Html {
  const name = agentId == null ? null : html` <small class="soft">agent ${agentId}</small>`
  return html`<span class="account"><a class="hex" href="${href}" title="${address}">${shortened(address)}</a>${name}</span>`
}

/** A whole address or hash. A click copies it if scripts run. */
export function whole(hex: string): Html {
  return html`<button class="copy hex whole" type="button" data-copy="${hex}">${hex}</button>`
}

/** A shortened address or hash; the whole one is its title. */
export function short(hex: string): Html {
  return html`<button class="copy hex" type="button" title="${hex}" data-copy="${hex}">${shortened(hex)}</button>`
}

/** Links to the explorer of the chain, if one is set. */
export interface Explorer {
  /** Link to a transaction with the text `text`, or the hash without an explorer. */
  transaction(hash: string, text?: string): Html
  /** Link to a contract or account. */
  account(address: string): Html
}

/** Creates the links. Example: `createExplorer('https://basescan.org')` links to `https://basescan.org/tx/0x…`. */
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
