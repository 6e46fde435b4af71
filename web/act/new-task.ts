import { html } from 'hono/html'

type Mode = readonly [value: string, name: string, about: string]

/** The modes of a task, each with a description of one line. */
const modes: readonly Mode[] = [
  ['bounty', 'Bounty', 'Anyone delivers; you pick one or several.'],
  ['claim', 'Claim', 'The first worker to take it has it alone.'],
  ['pitch', 'Pitch', 'Workers say how they would do it; you choose one.'],
  ['benchmark', 'Benchmark', 'Workers measure; you pay the best result.'],
  ['auction', 'Auction', 'Workers bid, or the price moves until one takes it.'],
]

const auctions: readonly Mode[] = [
  ['english', 'Open bids', 'Each bid is below the one before; the lowest gets the task.'],
  ['reverse_english', 'Sealed bids', 'No worker sees the bids of others; the lowest gets the task.'],
  ['dutch', 'Falling price', 'The price falls from the reward until a worker takes it.'],
  ['reverse_dutch', 'Rising price', 'The price rises up to the reward until a worker takes it.'],
]

const durations: readonly (readonly [hours: number, name: string])[] = [
  [24, '1 day'],
  [72, '3 days'],
  [168, '1 week'],
  [336, '2 weeks'],
  [720, '30 days'],
]

/**
 * Renders the form that posts a task, with the fields of all modes. A script hides the fields of the modes that the
 * visitor has not chosen.
 * @param platformFeeBps platform fee of a new task, in basis points; null if the fee is not known
 */
export function newTaskContent(platformFeeBps: number | null) {
  return html`<div class="head">
      <h1>Post a task</h1>
      <p class="soft">You pay the reward into escrow now: a contract keeps it, pays the worker whom you accept, or gives it back to you.</p>
    </div>
    <form class="stack" id="new-task" method="dialog" novalidate ${platformFeeBps === null ? '' : html`data-fee-bps="${platformFeeBps}"`}>
      <fieldset><legend>How do you find a worker?</legend><div class="choices">${modes.map(radio('mode'))}</div></fieldset>
      <label
        ><span>What do you need? <small class="soft">The first line is the title. Say what you expect to get, and how you judge it.</small></span>
        <textarea name="description" maxlength="10000" required></textarea>
      </label>
      <div class="pair">
        <label><span>Reward in USDC</span><input name="reward" inputmode="decimal" autocomplete="off" required /></label>
        <label
          ><span>Open for</span>
          <select name="duration">
            ${durations.map(([hours, name]) => html`<option value="${hours}" ${hours === 72 ? 'selected' : ''}>${name}</option>`)}
            <option value="until">Until a date…</option>
          </select>
        </label>
        <label data-shown="duration=until"><span>Until</span><input name="until" type="datetime-local" /></label>
      </div>
      <fieldset data-shown="mode=auction">
        <legend>Which kind of auction?</legend>
        <div class="choices">${auctions.map(radio('auctionType'))}</div>
        <div class="pair">
          <label
            ><span>Bids or price changes end after, hours</span
            ><input name="bidDeadline" type="number" min="0.1" step="any" value="24"
          /></label>
          <label data-shown="auctionType=dutch"
            ><span>Lowest price, USDC</span><input name="auctionFloorPrice" inputmode="decimal" autocomplete="off"
          /></label>
          <label data-shown="auctionType=reverse_dutch"
            ><span>First price, USDC</span><input name="auctionStartPrice" inputmode="decimal" autocomplete="off"
          /></label>
        </div>
      </fieldset>
      <label data-shown="mode=pitch"
        ><span>Pitches end after, hours</span><input name="pitchDeadline" type="number" min="0.1" step="any" value="24"
      /></label>
      <label data-shown="mode=claim"
        ><span>Stake of the worker <small class="soft">percent of the reward, which the worker loses if nothing is delivered</small></span
        ><input name="stake" type="number" min="0" max="100" step="0.01" value="0"
      /></label>
      <div class="pair" data-shown="mode=benchmark">
        <label
          ><span>What is measured?</span><input name="metricDescription" maxlength="500" autocomplete="off"
        /></label>
        <label
          ><span>Target <small class="soft">optional</small></span
          ><input name="metricTarget" maxlength="200" autocomplete="off"
        /></label>
      </div>
      <label
        ><span>Tags <small class="soft">separated by commas, at most 10</small></span><input name="tags" autocomplete="off"
      /></label>
      <details>
        <summary>More options: who sees it, who judges it, hooks</summary>
        <div class="stack">
          <div class="pair">
            <label
              ><span>Who sees the task</span>
              <select name="taskVisibility">
                <option value="public">Everyone</option>
                <option value="unlisted">Everyone with the link</option>
                <option value="private">Those who are invited or have the password</option>
              </select>
            </label>
            <label
              ><span>Who sees what is delivered</span>
              <select name="submissionVisibility">
                <option value="public">Everyone, at once</option>
                <option value="reveal_all">You, and everyone at the end</option>
                <option value="winner_only">You, and everyone those that won</option>
                <option value="never">You alone</option>
              </select>
            </label>
          </div>
          <div class="pair" data-shown="taskVisibility=private">
            <label
              ><span>Password <small class="soft">8 characters or more</small></span
              ><input name="accessPassword" type="password" minlength="8" maxlength="200" autocomplete="new-password"
            /></label>
            <label
              ><span>Invited wallets <small class="soft">one a line</small></span
              ><textarea name="allowedViewers" class="hex short"></textarea>
            </label>
          </div>
          <div class="pair">
            <label
              ><span>Evaluator <small class="soft">decides instead of you; optional</small></span
              ><input name="evaluator" class="hex" placeholder="0x…" autocomplete="off"
            /></label>
            <label
              ><span>Evaluator’s fee, percent</span
              ><input name="evaluatorFee" type="number" min="0" max="100" step="0.01" value="0"
            /></label>
            <label
              ><span>Who settles appeals <small class="soft">optional</small></span
              ><input name="disputeResolver" class="hex" placeholder="0x…" autocomplete="off"
            /></label>
          </div>
          <div class="pair">
            <label
              ><span>Hook contract <small class="soft">called at each step of the task; optional</small></span
              ><input name="hookContract" class="hex" placeholder="0x…" autocomplete="off"
            /></label>
            <label
              ><span>Hook data <small class="soft">optional</small></span
              ><input name="hookData" class="hex" placeholder="0x…" autocomplete="off"
            /></label>
          </div>
        </div>
      </details>
    </form>
    <aside class="card" aria-labelledby="you-pay">
      <h2 id="you-pay">You pay</h2>
      <div id="price" role="status"><p class="soft">Type a reward to see what you pay and what a worker receives.</p></div>
      <button class="button wide" type="submit" form="new-task" data-needs-script disabled>Review and sign</button>
      <noscript
        ><p class="note">
          Posting needs a wallet in this browser, and JavaScript for it. Without them use the command <code>task-market task create</code>.
        </p></noscript
      >
    </aside>`
}

function radio(name: string) {
  return ([value, label, about]: Mode, index: number) =>
    html`<label
      ><input type="radio" name="${name}" value="${value}" ${index === 0 ? 'checked' : ''} /><span>${label}</span
      ><small class="soft">${about}</small></label
    >`
}
