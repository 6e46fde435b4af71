import { openDialog } from '../dialog.ts'
import { h } from '../dom.ts'
import { showProblem } from '../forms/problem.ts'
import { keepPosted } from '../private/just-posted.ts'
import { keepDraft } from './draft.ts'
import { type Problem, readCreation } from './read-creation.ts'

/**
 * Opens the payment sheet for a filled form. If the form has problems, shows the problems beside the fields instead.
 */
export async function review(form: HTMLFormElement): Promise<void> {
  for (const formPart of form.querySelectorAll<HTMLElement>('label, fieldset')) showProblem(formPart, null)
  const reading = readCreation(new FormData(form), Date.now())
  if ('problems' in reading) {
    showProblems(form, reading.problems)
    return
  }
  const [{ requireWallet }, { showSheet }] = await Promise.all([
    import('../wallet/connection-dialog.ts'),
    import('../write/payment-sheet.ts'),
  ])
  const title = String(reading.input.description).split('\n')[0]?.slice(0, 60) ?? ''
  try {
    const wallet = await requireWallet()
    await openDialog('Post this task', (dialog) => {
      void showSheet(dialog, wallet, {
        name: 'createTask',
        input: reading.input,
        words: { act: 'Post', title: `Posting “${title}”`, effects: reading.effects, done: 'Your task is posted.' },
        page: ({ taskId }) => (taskId === null ? '/me' : `/tasks/${taskId}`),
        onDone: ({ taskId }) => {
          keepDraft(null)
          if (reading.input.taskVisibility === 'private' && taskId !== null) keepPosted(taskId)
        },
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
