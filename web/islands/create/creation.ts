import { creationRows } from '../../act/payout-rows.ts'
import { parseUsdc, usdcText } from '../../words/amount.ts'
import { openDialog } from '../dialog.ts'
import { fill, find, h } from '../dom.ts'
import { showProblem } from '../forms/problem.ts'
import { keepDraft, restoreDraft } from './draft.ts'
import { type Problem, readCreation } from './read-creation.ts'

/** Makes the form of `/tasks/new` live: fields of the mode, what it costs, and the payment sheet. */
export function startCreation(): void {
  const form = find<HTMLFormElement>('#new-task')
  if (form === null) return
  restoreDraft(form)
  const update = () => {
    showFields(form)
    showPrice(form)
  }
  form.addEventListener('input', () => {
    update()
    keepDraft(form)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void review(form)
  })
  update()
}

/** Only fields of the chosen mode are there: `data-shown="mode=auction"`. */
function showFields(form: HTMLFormElement): void {
  for (const element of form.querySelectorAll<HTMLElement>('[data-shown]')) {
    const [name = '', value] = (element.dataset.shown ?? '').split('=')
    element.hidden = new FormData(form).get(name) !== value
  }
}

function showPrice(form: HTMLFormElement): void {
  const place = find('#price')
  if (place === null) return
  const reward = parseUsdc(String(new FormData(form).get('reward') ?? ''))
  if (reward === null) {
    fill(place, h('p', { class: 'soft' }, 'Say a reward, and what it comes to stands here.'))
    return
  }
  const { feeBps } = form.dataset
  const rows = feeBps === undefined ? [] : creationRows(reward, Number(feeBps))
  fill(
    place,
    h(
      'dl',
      { class: 'facts' },
      h('dt', { class: 'sum' }, 'Into escrow'),
      h('dd', { class: 'sum' }, `${usdcText(reward)} USDC`),
      rows.map(([label, value]) => [h('dt', {}, label), h('dd', {}, value)]),
    ),
    h('small', {}, 'If no worker delivers in time, all of it comes back to you.'),
  )
}

async function review(form: HTMLFormElement): Promise<void> {
  for (const old of form.querySelectorAll<HTMLElement>('label, fieldset')) showProblem(old, null)
  const read = readCreation(new FormData(form), Date.now())
  if ('problems' in read) {
    showProblems(form, read.problems)
    return
  }
  const [{ requireWallet }, { showSheet }] = await Promise.all([
    import('../wallet/connection-dialog.ts'),
    import('../write/payment-sheet.ts'),
  ])
  const title = String(read.input.description).split('\n')[0]?.slice(0, 60) ?? ''
  try {
    const wallet = await requireWallet()
    await openDialog('Post this task', (dialog) => {
      void showSheet(dialog, wallet, {
        name: 'createTask',
        input: read.input,
        words: { act: 'Post', title: `Posting “${title}”`, effects: read.effects, done: 'Your task is posted.' },
        page: ({ taskId }) => (taskId === null ? '/me' : `/tasks/${taskId}`),
        onDone: () => keepDraft(null),
      })
      return []
    })
  } catch (error) {
    await openDialog('Not posted', () => [h('p', { class: 'note bad' }, (error as Error).message)])
  }
}

function showProblems(form: HTMLFormElement, problems: readonly Problem[]): void {
  for (const [index, { name, message }] of problems.entries()) {
    const input = form.querySelector<HTMLElement>(`[name="${name}"]`)
    const holder = input?.closest<HTMLElement>('label')
    if (!input || !holder) continue
    const details = input.closest('details')
    if (details !== null) details.open = true
    showProblem(holder, message)
    if (index === 0) input.focus()
  }
}
