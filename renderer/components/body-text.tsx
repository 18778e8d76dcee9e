import { memo, useMemo, useState, type ReactNode } from 'react';
import { bodyBlocks, codeSpans } from '../text/blocks.ts';
import { FIRST_PAGE, pagesOf, type Page } from '../text/pages.ts';
import { sizeWords } from '../words/artifact.ts';
import { counted } from '../words/counted.ts';
import styles from './body-text.module.css';
import { Button } from './button.tsx';
import { classes } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';
import { PeerText } from './peer-text.tsx';
import { ScrollBox } from './scroll-box.tsx';
import { useShown, type Steps } from './use-shown.ts';

/** A text of a message, by a name that no other one of it has. */
interface NamedText {
  readonly id: string;
  readonly text: string;
  readonly growing?: boolean;
}

/** How many texts of a message are drawn at first, and how many more each time; a long one counts as several. */
const TEXTS: Steps = { first: 60, step: 200 };

/** The texts of a message. Usually there is one. */
export function BodyTexts({ texts }: { texts: readonly NamedText[] }): ReactNode {
  const { shown, more } = useShown(texts.length, TEXTS, (index) => pageCost(texts[index]?.text ?? ''));
  const left = texts.length - shown;
  return (
    <>
      {texts.slice(0, shown).map(({ id, text, growing }) => (
        <BodyText key={id} text={text} {...(growing === undefined ? {} : { growing })} />
      ))}
      {left === 0 ? null : (
        <div className={styles['more']}>
          <Button small icon="more" onPress={more}>
            {counted(left, 'more text')}
          </Button>
        </div>
      )}
    </>
  );
}

/** What the first page of a text costs, in texts of a line. */
function pageCost({ length }: string): number {
  return 1 + (Math.min(length, FIRST_PAGE) / FIRST_PAGE) * 40;
}

/**
 * The body of a message: plain text as it was typed, and code as code. A long one is drawn page by page, and can be
 * copied as a whole. `growing` ends it with a caret.
 */
export function BodyText({ text, growing = false }: { text: string; growing?: boolean }): ReactNode {
  const pages = useMemo(() => pagesOf(bodyBlocks(text)), [text]);
  const [shown, setShown] = useState(1);
  const left = pages.slice(shown).reduce((sum, { length }) => sum + length, 0);
  return (
    <>
      {/* the pages and blocks of one text never move: their place is their key */}
      {pages.slice(0, shown).map((page, index) => (
        <PageView key={index} page={page} growing={growing && index === pages.length - 1} />
      ))}
      {left === 0 ? null : (
        <div className={styles['more']}>
          <Button small icon="more" onPress={() => setShown(shown + 1)}>
            Show more, {sizeWords(left)} left
          </Button>
          <CopyButton text={text} what="the whole text" />
          {growing ? <Caret /> : null}
        </div>
      )}
    </>
  );
}

const PageView = memo(function PageView({ page: { blocks }, growing }: { page: Page; growing: boolean }): ReactNode {
  const last = blocks.length - 1;
  const caret = (index: number): ReactNode => (growing && index === last ? <Caret /> : null);
  if (blocks.length === 0)
    return growing ? (
      <p className={styles['prose']}>
        <Caret />
      </p>
    ) : null;
  return blocks.map((block, index) =>
    block.kind === 'code' ? (
      <div key={index} className={classes(styles['frame'], block.continues && styles['continues'])}>
        <ScrollBox label="Code">
          <pre className={styles['code']}>
            <code>
              <PeerText text={block.text} />
            </code>
            {caret(index)}
          </pre>
        </ScrollBox>
      </div>
    ) : (
      <p key={index} className={classes(styles['prose'], block.continues && styles['continues'])} dir="auto">
        {codeSpans(block.text).map((span, at) =>
          span.code ? (
            <code key={at} className={styles['inline']}>
              <PeerText text={span.text} />
            </code>
          ) : (
            <PeerText key={at} text={span.text} />
          ),
        )}
        {caret(index)}
      </p>
    ),
  );
});

function Caret(): ReactNode {
  return <span className={styles['caret']} role="img" aria-label="still writing" />;
}
