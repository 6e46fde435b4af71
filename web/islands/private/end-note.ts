import { h } from '../dom.ts'
import { say } from '../page/patch-in-place.ts'

/**
 * Renders a note that the wallet's signature for reading has expired, with a button to sign again. The note is
 * announced to screen readers.
 * @param goOn runs when the button is clicked
 */
export function endNote(goOn: () => void): HTMLElement {
  say('This is not kept up to date any more.')
  return h(
    'div',
    { class: 'note wait' },
    h('strong', {}, 'Not kept up to date any more'),
    h('small', {}, 'What your wallet signed to read has ended. To sign it again moves no money.'),
    h('p', {}, h('button', { class: 'button quiet', type: 'button', onclick: goOn }, 'Go on reading')),
  )
}
