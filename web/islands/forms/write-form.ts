import { fillDialog } from '../dialog.ts'
import { fill, h } from '../dom.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { showSheet } from '../write/payment-sheet.ts'
import type { AskedWrite } from '../write/sheet-words.ts'
import type { Field, Values } from './fields.ts'
import { renderFields } from './render-form.ts'

/** A form that is shown before a payment sheet. */
interface WriteForm {
  heading: string
  about?: string
  /** Fields of the form. If there are none, the payment sheet opens at once. */
  fields: readonly Field[]
  /**
   * Creates the write from the values of the form.
   * @param tell shows a progress text
   * @throws Error with a sentence for a person
   */
  ask(values: Values, tell: (text: string) => void): Promise<AskedWrite>
}

/**
 * Shows a form in a dialog. When the person continues, the payment sheet opens. The sheet shows the write that `ask`
 * made from the form's values.
 */
export function showWriteForm(
  dialog: HTMLDialogElement,
  wallet: ConnectedWallet,
  { heading, about, fields, ask }: WriteForm,
): void {
  const progress = h('p', { role: 'status', class: 'soft' })
  const tell = (text: string) => {
    fill(progress, text)
  }
  const goOn = async (values: Values) => {
    try {
      await showSheet(dialog, wallet, await ask(values, tell))
    } catch (error) {
      tell(`${(error as Error).message} Nothing was done.`)
    }
  }
  const { elements, read } = renderFields(fields)
  const button = h('button', { class: 'button' }, 'Review')
  const submit = async (event: Event) => {
    event.preventDefault()
    const values = read()
    if (values === null) return
    button.disabled = true
    await goOn(values)
    button.disabled = false
  }
  if (fields.length === 0) {
    fillDialog(dialog, heading, [progress])
    void goOn({})
    return
  }
  const cancel = h('button', { class: 'button quiet', type: 'button', onclick: () => dialog.close() }, 'Cancel')
  fillDialog(dialog, heading, [
    h(
      'form',
      { novalidate: true, onsubmit: (event) => void submit(event) },
      about !== undefined && h('p', {}, about),
      elements,
      progress,
      h('p', { class: 'row' }, button, cancel),
    ),
  ])
}
