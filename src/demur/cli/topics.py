"""Which command answers which question: what ``demur help`` and the docs tell.

An example runs in the folder that ``demur demo`` makes, or with files that it names.
"""

from typing import Final, NamedTuple


class Topic(NamedTuple):
    """A question, and the command that answers it.

    Parameters
    ----------
    question : str
        As somebody would ask it.
    words : str
        What else it may be looked for by, with spaces.
    example : str
        A line that runs.
    page : str
        The page of the documentation, without its ending.
    lines : str
        What the command does about it, and what to know.
    """

    question: str
    words: str
    example: str
    page: str
    lines: str

    @property
    def command(self) -> str:
        """The command, as it is typed.

        Examples
        --------
        >>> TOPICS["threshold"].command
        'choose'
        """
        return self.example.split()[1]


TOPICS: Final[dict[str, Topic]] = {
    "start": Topic(
        "Where do I begin?",
        "begin first install quickstart tutorial example demo",
        "demur demo",
        "quickstart",
        "The demo judges two systems that answer visitors of a museum, draws their "
        "curves and writes a page with a cutoff to move. The other examples run in the "
        "folder that it makes.",
    ),
    "files": Topic(
        "My answers are in a log or a spreadsheet. Must I convert them?",
        "log logs excel csv table columns import format own data inspect promptfoo "
        "harness rasa convert",
        "demur curve results.csv --columns 'item=id, correct=ok, confidence=score'",
        "logs",
        "No. Logs of other tools are recognised, and --columns says what columns are "
        "called in any other table. A folder may say it once for all, in demur.toml.",
    ),
    "run": Topic(
        "How do I ask my system all questions?",
        "endpoint api model openai chat llm ask system function program batch",
        "demur run bot:answer references.jsonl -o answers.jsonl",
        "systems",
        "A function, a program, an address or a chat model is asked every input. A run "
        "that was cut off goes on where it was, and nothing is paid for twice.",
    ),
    "judge": Topic(
        "Were the answers right?",
        "correct grade score accuracy match comparator verdict llm-as-judge rubric",
        "demur judge responses.jsonl references.jsonl --by label -o outcomes.jsonl",
        "quickstart",
        "Each answer is right, wrong, unanswered or ungraded, with a reason. --by "
        "says how answers are compared: as text, numbers, tables, SQL, calls of tools, "
        "or by a model that judges.",
    ),
    "refusals": Topic(
        "My system refuses, or says that it does not know. How is that counted?",
        "refuse abstain abstention decline idk unknown fallback out-of-scope silent "
        "hallucination hallucinations",
        "demur judge responses.jsonl references.jsonl --by label --no-answer refusals",
        "concepts",
        "As unanswered, which is neither right nor wrong. --no-answer says which "
        "responses are refusals: a pattern of your own, or refusals for what looks "
        "like one in English.",
    ),
    "errors": Topic(
        "How often is it wrong at each rate of abstention?",
        "curve error-return risk coverage risk-coverage selective prediction plot "
        "nonreturn",
        "demur curve outcomes.jsonl --at 0.1,0.2 --plot curves.png",
        "concepts",
        "The curve shows the share of all inputs that are answered wrongly when a "
        "share of them is declined, the least sure first. --at reads it off.",
    ),
    "threshold": Topic(
        "From which confidence on should it answer?",
        "cutoff confidence choose cost operating point tradeoff",
        "demur choose outcomes.jsonl --wrong-costs 4",
        "choosing",
        "Say what a wrong answer costs, or how many errors or refusals you accept; the "
        "cutoff follows, with what becomes of the items. --split or --held-out judges "
        "it on items that it was not chosen on.",
    ),
    "guarantee": Topic(
        "Can I promise that it errs no more than so often?",
        "certify certificate conformal bound risk control promise certainty",
        "demur choose outcomes.jsonl --max-error 0.25 --certainty 0.9 --lock lock.json",
        "choosing",
        "With --certainty the error of the chosen cutoff is truly above --max-error "
        "with a small chance only. --plan says how many items that takes, and --lock "
        "keeps the cutoff for demur recheck.",
    ),
    "drift": Topic(
        "Does the cutoff of last month still hold?",
        "recheck monitor production shift lock live",
        "demur recheck lock.json outcomes.jsonl --where system=words",
        "choosing",
        "New labelled outcomes test the target that was locked. --anytime lets you "
        "look as often as you like while labels come in.",
    ),
    "compare": Topic(
        "Which system is better, and is that luck?",
        "better significance test p-value paired difference dominance ab a/b",
        "demur compare outcomes.jsonl --at 0.2",
        "comparing",
        "Two systems are compared on the same items, at one rate of abstention and "
        "over all of them, by a paired test with an interval. --margin asks whether "
        "one is as good as the other, --plan how many items would show it.",
    ),
    "judges": Topic(
        "How far can a model that judges be trusted?",
        "llm judge bias human people gold panel vote position self-preference",
        "demur judges judged.csv --verdicts small,large --gold people",
        "judges",
        "Judges are held against people's verdicts, alone, by vote, or passing on what "
        "they are unsure of, with the price of each. demur check-judge asks a judge "
        "again with one thing changed.",
    ),
    "agreement": Topic(
        "Do my annotators agree?",
        "krippendorff alpha kappa annotator annotation inter-annotator reliability",
        "demur agree labels.csv --annotators ann,ben,carla",
        "agreement",
        "Krippendorff's alpha with its interval, kappas of pairs, and who disagrees "
        "with whom on what, so that you know where to look first.",
    ),
    "labels": Topic(
        "Which answers should people label?",
        "annotate sample label budget annotation sheet active",
        "demur sample outcomes.jsonl --for compare --budget 50 -o a.jsonl --sheet "
        "s.csv",
        "sampling",
        "Answers are drawn with known chances, more where a label tells more, for a "
        "purpose: to test a cutoff, to find one, to compare, to correct a judge. "
        "--sheet writes a blind sheet, --labels takes it back.",
    ),
    "calibration": Topic(
        "Do stated confidences mean what they say?",
        "calibrated brier ece reliability probability overconfident",
        "demur curve outcomes.jsonl --calibration",
        "definitions",
        "The Brier score in three parts, with intervals, and by --target what it costs "
        "to trust a confidence. A cutoff needs only the order of confidences.",
    ),
    "auroc": Topic(
        "Where are AUROC, AURC, F and the other usual numbers?",
        "roc auc aurc auprc precision recall f1 det simpleqa metrics contrast",
        "demur curve outcomes.jsonl --contrast",
        "contrasts",
        "They come from the same counts, beside the curve, and the page says what each "
        "of them hides.",
    ),
    "measures": Topic(
        "Where are word error rate, F, slots and the other classic measures?",
        "wer f1 f-score confusion ner spans slots coreference perplexity paradise "
        "dialogue metrics intent",
        "demur metrics labels classes.csv",
        "metrics",
        "demur metrics has a command for each, with declined items apart and intervals "
        "over clusters. demur metrics --help lists them.",
    ),
    "parts": Topic(
        "My answers are made of claims, fields or actions. What then?",
        "agent agents tool actions steps claims long-form wholes fields",
        "demur choose actions.jsonl --max-error 0.2 --of wholes",
        "wholes",
        "With a column part each part has its own outcome and confidence: the cutoff "
        "is on parts, the error is of the whole. --kinds chooses one for each kind.",
    ),
    "sql": Topic(
        "My answers are SQL. How are they judged?",
        "text-to-sql database query queries spider bird execution",
        "demur judge queries.jsonl questions.jsonl --by sql",
        "sql",
        "Queries are run, and judged by what they return. demur neighbours makes "
        "further instances of a database, on which queries fall that are right by "
        "luck.",
    ),
    "pipeline": Topic(
        "Which module of my pipeline is to blame?",
        "modules nlu asr dialogue rag retrieval component attribution blame",
        "demur pipeline pipeline.toml --measure exact",
        "pipelines",
        "Each module is replaced by what it should have said, alone and with others; "
        "the loss is shared out among them, with intervals.",
    ),
    "logged": Topic(
        "My pipeline was only logged. Which module is to blame?",
        "modules recorded trace log first wrong",
        "demur pipeline pipeline.toml",
        "pipelines",
        "Modules with source = 'logged' are read from the dialogues, and not run: "
        "which was wrong first is counted, and blame that they leave open is bounded.",
    ),
    "changed": Topic(
        "Is my pipeline better with one module changed, or is that luck?",
        "modules replaced new version of a module compare pipelines",
        "demur pipeline pipeline.toml -o old.jsonl",
        "pipelines",
        "Write both pipelines' outcomes, then demur compare old.jsonl new.jsonl "
        "--where 'system=actual, free-running': turns are paired, dialogues are what "
        "is independent.",
    ),
    "difficulty": Topic(
        "Was the task hard, or the system good?",
        "baseline entropy hard rasch irt item scalability",
        "demur difficulty tokens.csv --markable lemma --value sense",
        "difficulty",
        "Baselines and entropy say how hard a task is before anyone tries it, --method "
        "how far simple methods come, and --rasch which items were hard for many "
        "systems.",
    ),
    "ci": Topic(
        "May this version go out?",
        "gate gates build continuous integration github actions regression junit "
        "release pytest",
        "demur gate demur.toml --summary summary.md",
        "gates",
        "A file holds conditions on figures and paired tests against a kept run. The "
        "command ends with 1 if one is broken. Every command also has --fail-if.",
    ),
    "history": Topic(
        "What has changed since the last version?",
        "keep store runs versions track trend diff progress regression",
        "demur history --system words",
        "history",
        "demur keep puts a run into the store, demur show lists them, demur diff tells "
        "two apart, and demur history shows where errors changed beyond luck.",
    ),
    "report": Topic(
        "How do I show this to others?",
        "page html share send dashboard picture presentation",
        "demur report outcomes.jsonl --by topic -o report.html",
        "report",
        "One offline page with curves, a cutoff to move, items and comparisons. Other "
        "results go on a page by --page, and into JSON by --json.",
    ),
    "scale": Topic(
        "My table does not fit into memory. What then?",
        "large big memory duckdb spark parquet s3 billions slow",
        "demur curve outcomes.jsonl --engine duckdb",
        "scale",
        "DuckDB or Spark counts outcomes where they lie, also in folders and at "
        "addresses, with the same numbers.",
    ),
    "privacy": Topic(
        "My outcomes may not leave the house. What then?",
        "sketch private confidential federated hospital gdpr",
        "demur sketch outcomes.jsonl -o here.sketch --least-count 5",
        "sketches",
        "A sketch holds counts without items. demur curve puts those of several places "
        "together.",
    ),
    "references": Topic(
        "Are my questions and references sound?",
        "lint check dataset duplicates errors split train test leak merge reserve",
        "demur lint references.jsonl",
        "linting",
        "References are looked through before systems are judged by them. demur "
        "reserve keeps subjects apart for the test, demur merge joins contributors.",
    ),
    "campaign": Topic(
        "Several teams shall answer the same questions. How?",
        "shared task leaderboard competition teams challenge codabench benchmark",
        "demur campaign new season --name 2027",
        "campaign",
        "A folder holds the questions, what teams hand in, one rule, the boards, and a "
        "log that shows every change.",
    ),
}
"""The questions, by the word that ``demur help`` takes for each."""
