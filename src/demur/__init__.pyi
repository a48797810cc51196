# The public names, each said once: `demur/__init__.py` looks them up here when they are
# first used, type checkers read them, and docs/api.md lists them section by section.
# ruff: noqa: I001  (in the order of the page)

from demur.version import __version__ as __version__

# -- Reading and writing
from demur.formats.reading import read_outcomes as read_outcomes
from demur.formats.record_reading import read_references as read_references
from demur.formats.record_reading import read_responses as read_responses
from demur.formats.record_reading import iter_records as iter_records
from demur.formats.writing import write_outcomes as write_outcomes
from demur.engines.counting_outcomes import count_outcomes as count_outcomes
from demur.curves.counted_outcomes import CountedOutcomes as CountedOutcomes
from demur.engines.sketching import sketch as sketch
from demur.engines.merging import read_sketches as read_sketches
from demur.engines.sketches import Sketch as Sketch

# -- The table
from demur.outcomes.table import Outcomes as Outcomes
from demur.outcomes.records import Response as Response
from demur.outcomes.records import Reference as Reference
from demur.outcomes.parts import halves as halves

# -- What every result is
from demur.results.contract import Result as Result
from demur.results.several import Results as Results
from demur.results.kinds import Figure as Figure
from demur.results.kinds import FigureKind as FigureKind
from demur.results.text import Column as Column
from demur.results.text import Table as Table

# -- Systems
from demur.systems.adapting import as_system as as_system
from demur.systems.running import run as run
from demur.systems.adapters.chats import ChatSystem as ChatSystem
from demur.systems.adapters.choices import scored_choices as scored_choices
from demur.systems.adapters.snapshots import as_stateful as as_stateful
from demur.systems.protocol import System as System
from demur.systems.protocol import Input as Input
from demur.systems.protocol import Trainable as Trainable
from demur.systems.protocol import Thresholded as Thresholded
from demur.systems.protocol import Stateful as Stateful

# -- Reference systems
from demur.reference_systems.relevance_model import RelevanceModel as RelevanceModel
from demur.reference_systems.two_stage import TwoStage as TwoStage
from demur.reference_systems.intents import intent_classifier as intent_classifier
from demur.reference_systems.maxent import maxent_features as maxent_features
from demur.reference_systems.maxent import prefixes as prefixes
from demur.reference_systems.phones import PhoneTokenizer as PhoneTokenizer
from demur.reference_systems.rule_questions import RuleQuestions as RuleQuestions
from demur.reference_systems import baselines as baselines

# -- Dialogue managers
from demur.reference_systems.dialogue_managers import (
    read_dialogue_manager as read_dialogue_manager,
)
from demur.reference_systems.dialogue_managers import character as character
from demur.reference_systems.dialogue_managers import DialogueManager as DialogueManager
from demur.reference_systems.off_topic import (
    read_off_topic_lines as read_off_topic_lines,
)
from demur.reference_systems.off_topic import (
    QuestionAnswerManager as QuestionAnswerManager,
)

# -- Pipelines
from demur.logs.agent_traces import read_agent_traces as read_agent_traces
from demur.pipelines.attributing import attribute_loss as attribute_loss
from demur.pipelines.attributions import Attribution as Attribution
from demur.pipelines.attributions import ModuleErrors as ModuleErrors
from demur.pipelines.attributions import PlayerShare as PlayerShare
from demur.pipelines.attributions import TurnBlame as TurnBlame
from demur.pipelines.configs import PipelineSetup as PipelineSetup
from demur.pipelines.configs import read_pipeline as read_pipeline
from demur.logs.act_texts import read_act_text as read_act_text
from demur.logs.wizard_logs import read_wizard_log as read_wizard_log
from demur.pipelines.turn_parts import Running as Running
from demur.pipelines.evaluating import evaluate_pipeline as evaluate_pipeline
from demur.pipelines.evaluations import Compatibility as Compatibility
from demur.pipelines.evaluations import PipelineEvaluation as PipelineEvaluation
from demur.pipelines.evaluations import SubstitutionRow as SubstitutionRow
from demur.pipelines.evaluations import SubstitutionTest as SubstitutionTest
from demur.pipelines.explaining import explain_turn as explain_turn
from demur.pipelines.explaining import ExplainedSource as ExplainedSource
from demur.pipelines.explaining import ExplainedTurn as ExplainedTurn
from demur.pipelines.modules import as_module as as_module
from demur.pipelines.modules import Module as Module
from demur.pipelines.modules import Pipeline as Pipeline
from demur.pipelines.modules import recorded_module as recorded_module
from demur.pipelines.attributing_steps import attribute_steps as attribute_steps
from demur.pipelines.planting import LaterEffect as LaterEffect
from demur.pipelines.planting import plant_errors as plant_errors
from demur.pipelines.planting import PlantedError as PlantedError
from demur.pipelines.planting import PlantedErrors as PlantedErrors
from demur.pipelines.attributing_steps import StepShares as StepShares
from demur.pipelines.published_tables import check_percentages as check_percentages
from demur.pipelines.published_tables import PrintedPercentage as PrintedPercentage
from demur.pipelines.remote_modules import http_module as http_module
from demur.pipelines.remote_modules import replayed as replayed
from demur.pipelines.runs import PipelineRun as PipelineRun
from demur.pipelines.runs import run_pipeline as run_pipeline
from demur.pipelines.shapley import shapley_values as shapley_values
from demur.pipelines.shapley import ShapleyValue as ShapleyValue
from demur.pipelines.cutoff_sweeps import CutoffSweep as CutoffSweep
from demur.pipelines.cutoff_sweeps import PricedCutoff as PricedCutoff
from demur.pipelines.sweeping import sweep_cutoff as sweep_cutoff
from demur.pipelines.cutoff_sweeps import SweptPoint as SweptPoint
from demur.outcomes.target_dialogues import Failed as Failed
from demur.logs.dialogue_files import read_dialogues as read_dialogues
from demur.outcomes.target_dialogues import TargetDialogue as TargetDialogue
from demur.outcomes.target_dialogues import TargetTurn as TargetTurn
from demur.outcomes.target_dialogues import TurnChange as TurnChange
from demur.logs.dialogue_files import with_annotations as with_annotations
from demur.logs.dialogue_files import write_dialogues as write_dialogues
from demur.plots.drawing_tasks import plot_pipeline as plot_pipeline

# -- The classic measures
from demur.metrics.measuring_words import word_errors as word_errors
from demur.metrics.measuring_words import WordErrors as WordErrors
from demur.metrics.comparing_words import compare_words as compare_words
from demur.metrics.comparing_words import WordComparison as WordComparison
from demur.metrics.measuring_vocabulary import out_of_vocabulary as out_of_vocabulary
from demur.metrics.measuring_vocabulary import OutOfVocabulary as OutOfVocabulary
from demur.metrics.measuring_vocabulary import perplexity as perplexity
from demur.metrics.measuring_perplexity import text_perplexity as text_perplexity
from demur.metrics.measuring_perplexity import TextPerplexity as TextPerplexity
from demur.metrics.ngrams.models import ngram_model as ngram_model
from demur.metrics.ngrams.models import read_arpa as read_arpa
from demur.metrics.ngrams.models import NgramModel as NgramModel
from demur.metrics.matched_pairs import MatchedPairs as MatchedPairs
from demur.metrics.measuring_labels import label_scores as label_scores
from demur.metrics.measuring_labels import LabelScores as LabelScores
from demur.metrics.precision_recall import ClassScore as ClassScore
from demur.metrics.precision_recall import f_measure as f_measure
from demur.metrics.measuring_sets import set_scores as set_scores
from demur.metrics.measuring_sets import SetScores as SetScores
from demur.metrics.measuring_concepts import concept_errors as concept_errors
from demur.metrics.measuring_concepts import ConceptErrors as ConceptErrors
from demur.metrics.concept_scores import ConceptScore as ConceptScore
from demur.metrics.measuring_concepts import grammar_outcomes as grammar_outcomes
from demur.metrics.measuring_concepts import GrammarOutcomes as GrammarOutcomes
from demur.metrics.measuring_spans import span_scores as span_scores
from demur.metrics.measuring_spans import SpanScores as SpanScores
from demur.metrics.measuring_spans import SpanScore as SpanScore
from demur.metrics.measuring_coreference import coreference_scores as coreference_scores
from demur.metrics.measuring_coreference import CoreferenceScores as CoreferenceScores
from demur.metrics.measuring_coreference import CoreferenceScore as CoreferenceScore
from demur.metrics.coreference.files import read_coreference as read_coreference
from demur.metrics.measuring_states import slot_scores as slot_scores
from demur.metrics.measuring_states import discourse_measures as discourse_measures
from demur.metrics.measuring_states import StateScores as StateScores
from demur.metrics.measuring_states import StateRate as StateRate
from demur.metrics.measuring_decisive_steps import decisive_steps as decisive_steps
from demur.metrics.measuring_decisive_steps import DecisiveSteps as DecisiveSteps
from demur.metrics.measuring_decisive_steps import AttributionRate as AttributionRate
from demur.metrics.measuring_costs import dialogue_costs as dialogue_costs
from demur.metrics.measuring_costs import DialogueCosts as DialogueCosts
from demur.metrics.measuring_costs import DialogueCost as DialogueCost
from demur.metrics.predicting_performance import paradise as paradise
from demur.metrics.predicting_performance import Performance as Performance
from demur.metrics.predicting_performance import Predictor as Predictor
from demur.metrics.counted_items import UnitRate as UnitRate

# -- How hard a task is
from demur.difficulty.measuring import difficulty as difficulty
from demur.difficulty.measuring import Difficulty as Difficulty
from demur.difficulty.measuring import MarkableDifficulty as MarkableDifficulty
from demur.difficulty.measuring import difficulty_of_counts as difficulty_of_counts
from demur.difficulty.entropies import entropy_of_counts as entropy_of_counts
from demur.difficulty.binary_decisions import decision_table as decision_table
from demur.difficulty.binary_decisions import DecisionTable as DecisionTable
from demur.difficulty.trying_methods import try_methods as try_methods
from demur.difficulty.trying_methods import MethodScore as MethodScore
from demur.difficulty.trying_methods import MethodScores as MethodScores
from demur.difficulty.scaling import scalability as scalability
from demur.difficulty.scaling import Scalability as Scalability
from demur.difficulty.task_versions import TaskVersions as TaskVersions
from demur.difficulty.scaling import ScalabilityPoint as ScalabilityPoint
from demur.difficulty.scaling import lift as lift
from demur.difficulty.selective_baselines import (
    selective_baseline as selective_baseline,
)
from demur.difficulty.information_gains import usable_information as usable_information
from demur.difficulty.information_gains import UsableInformation as UsableInformation
from demur.difficulty.item_responses import rasch as rasch
from demur.difficulty.item_responses import RaschFit as RaschFit
from demur.difficulty.item_responses import with_strata as with_strata
from demur.difficulty.item_responses import lacking_strata as lacking_strata
from demur.plots.drawing_tasks import plot_difficulty as plot_difficulty
from demur.plots.drawing_tasks import plot_scalability as plot_scalability

# -- Agreement
from demur.agreement.agreeing import agreement as agreement
from demur.agreement.agreeing import Agreement as Agreement
from demur.agreement.agreeing import Coefficient as Coefficient
from demur.plots.drawing_tasks import plot_agreement as plot_agreement
from demur.agreement.judges import JudgeRates as JudgeRates
from demur.agreement.judges import Turned as Turned
from demur.agreement.annotations import Annotations as Annotations
from demur.agreement.disagreements import LabelAgreement as LabelAgreement
from demur.agreement.disagreements import AnnotatorAgreement as AnnotatorAgreement
from demur.agreement.disagreements import UnitDisagreement as UnitDisagreement

from demur.statistics.correcting import corrected_error as corrected_error
from demur.statistics.correcting import CorrectedError as CorrectedError
from demur.statistics.noisy_verdicts import CorrectedRate as CorrectedRate
from demur.statistics.correcting_curves import corrected_curve as corrected_curve
from demur.statistics.correcting_curves import CorrectedCurve as CorrectedCurve
from demur.plots.drawing import plot_corrected_curves as plot_corrected_curves

# -- Judges as systems
from demur.judge_models.judging_judges import judge_outcomes as judge_outcomes
from demur.judge_models.arranging_judges import arrange_judges as arrange_judges
from demur.judge_models.arranged_judges import JudgeArrangements as JudgeArrangements
from demur.judge_models.arranged_judges import ArrangedJudges as ArrangedJudges
from demur.judge_models.judge_curves import JudgeCurve as JudgeCurve
from demur.judge_models.arrangements import parse_arrangement as parse_arrangement
from demur.judge_models.arrangements import Vote as Vote
from demur.judge_models.arrangements import Cascade as Cascade
from demur.judge_models.arrangements import JudgeStage as JudgeStage

# -- Judging
from demur.judging.judging import judge as judge
from demur import answers as answers
from demur.sql.databases import Databases as Databases

# -- Models that judge
from demur.judge_models.asking import JudgeModel as JudgeModel
from demur.judge_models.claim_judges import ClaimsJudge as ClaimsJudge
from demur.judge_models.cases import JudgeCase as JudgeCase
from demur.judge_models.cases import JudgeVerdict as JudgeVerdict
from demur.judge_models.cases import Asking as Asking
from demur.judge_models.cases import CaseJudge as CaseJudge
from demur.judge_models.rubrics import read_rubric as read_rubric
from demur.judge_models.rubrics import Rubric as Rubric
from demur.judge_models.checking import check_judge as check_judge
from demur.judge_models.check_results import JudgeChecks as JudgeChecks
from demur.judge_models.check_results import JudgeEffect as JudgeEffect

# -- Tables as answers
from demur.answers.tables.relations import compare_relations as compare_relations
from demur.answers.tables.relation_values import Relation as Relation
from demur.answers.tables.modes import TableSettings as TableSettings
from demur.answers.tables.explanations import Explanation as Explanation
from demur.answers.tables.cas_text import CasAnswer as CasAnswer
from demur.answers.tables.cas_text import parse_cas as parse_cas
from demur.answers.tables.cas_text import write_cas as write_cas

# -- The curve
from demur.curves.of_outcomes import error_return as error_return
from demur.curves.of_outcomes import Curves as Curves
from demur.curves.of_outcomes import curve_by as curve_by
from demur.curves.curves import Curve as Curve
from demur.curves.rates import Point as Point
from demur.curves.rates import Area as Area
from demur.curves.rates import Vertices as Vertices
from demur.curves.rates import Split as Split
from demur.wholes.counting_wholes import whole_curve as whole_curve
from demur.wholes.counting_wholes import whole_curve_by as whole_curve_by
from demur.wholes.whole_curves import WholeCurve as WholeCurve
from demur.wholes.whole_curves import WholeCurves as WholeCurves
from demur.wholes.whole_points import WholePoint as WholePoint
from demur.wholes.wholes_at_cutoffs import whole_outcomes as whole_outcomes
from demur.curves.contrasts import contrast as contrast
from demur.curves.contrasts import Contrast as Contrast
from demur.curves.pooling import check_pooled as check_pooled
from demur.curves.pooling import Pooled as Pooled
from demur.curves.pooling import rank_normalised as rank_normalised
from demur.curves.pooling import average_curve as average_curve
from demur.curves.pooling import AverageCurve as AverageCurve

# -- How sure a number is
from demur.statistics.estimating import interval as interval
from demur.statistics.intervals import Interval as Interval
from demur.statistics.estimating import band as band
from demur.statistics.bands import Band as Band
from demur.statistics.estimating import difference_band as difference_band
from demur.statistics.bands import DifferenceBand as DifferenceBand

# -- Choosing a cutoff
from demur.decisions.choosing import choose as choose
from demur.decisions.choosing_by_kind import choose_by_kind as choose_by_kind
from demur.decisions.choices import Choice as Choice
from demur.decisions.cutoffs_by_kind import ChoiceByKind as ChoiceByKind
from demur.decisions.cutoffs_by_kind import ChoicesByKind as ChoicesByKind
from demur.decisions.ranked_choices import Choices as Choices
from demur.decisions.several_risks import Risk as Risk
from demur.decisions.linear_scores import linear_score as linear_score
from demur.decisions.linear_scores import LinearScore as LinearScore
from demur.decisions.certifying import certified_error as certified_error
from demur.decisions.certifying import certificate_plan as certificate_plan
from demur.decisions.certifying import CertificatePlan as CertificatePlan
from demur.comparisons.pricing import price_list as price_list
from demur.comparisons.pricing import Price as Price
from demur.comparisons.pricing import PriceList as PriceList
from demur.comparisons.pricing import different_items as different_items

from demur.decisions.cutoff_rows import at_cutoffs as at_cutoffs
from demur.decisions.cutoff_rows import AtCutoff as AtCutoff
from demur.decisions.cutoff_rows import CutoffRows as CutoffRows
from demur.decisions.listing_items import list_items as list_items
from demur.decisions.listing_items import ItemList as ItemList

# -- Keeping a cutoff
from demur.decisions.locking import lock as lock
from demur.decisions.locks import Lock as Lock
from demur.decisions.locks import Locks as Locks
from demur.decisions.locks import read_lock as read_lock
from demur.decisions.locks import read_locks as read_locks
from demur.decisions.rechecking import recheck as recheck
from demur.decisions.rechecks import Recheck as Recheck
from demur.decisions.rechecks import Rechecks as Rechecks
from demur.decisions.drifting import Drift as Drift
from demur.decisions.declining import declining_by as declining_by
from demur.decisions.declining import Declining as Declining

# -- Which answers to label
from demur.sampling.drawing import sample as sample
from demur.sampling.drawn import Drawn as Drawn
from demur.sampling.drawn import DrawnPart as DrawnPart
from demur.sampling.taking import take_labels as take_labels
from demur.sampling.taking import label_counts as label_counts

# -- Comparing systems
from demur.comparisons.comparing import compare as compare
from demur.comparisons.comparison_results import Comparison as Comparison
from demur.comparisons.several_rates import ComparisonAtRates as ComparisonAtRates
from demur.comparisons.judge_uses import JudgeUse as JudgeUse
from demur.comparisons.comparing_many import compare_all as compare_all
from demur.comparisons.power import comparison_plan as comparison_plan
from demur.comparisons.power import ComparisonPlan as ComparisonPlan
from demur.statistics.paired_tests import Difference as Difference
from demur.comparisons.pair_results import Comparisons as Comparisons
from demur.comparisons.pair_results import PairDifference as PairDifference
from demur.comparisons.geometry import Geometry as Geometry
from demur.comparisons.geometry import Crossing as Crossing
from demur.comparisons.geometry import Region as Region
from demur.comparisons.geometry import PointComparison as PointComparison
from demur.comparisons.geometry import CostComparison as CostComparison
from demur.comparisons.geometry import difference_curve as difference_curve
from demur.comparisons.geometry import DifferenceCurve as DifferenceCurve

# -- Tests of paired results
from demur.statistics.sign_tests import mcnemar_exact as mcnemar_exact
from demur.statistics.sign_tests import sign_flip as sign_flip
from demur.statistics.sign_tests import wilcoxon_signed_rank as wilcoxon_signed_rank
from demur.comparisons.pairs import holm as holm

# -- Calibration
from demur.calibration.calibrating import calibration_of as calibration_of
from demur.calibration.calibrating import calibration_by as calibration_by
from demur.calibration.calibrating import Calibration as Calibration
from demur.calibration.calibrating import Calibrations as Calibrations
from demur.calibration.reliability import Reliability as Reliability
from demur.calibration.reliability import ReliabilityBlock as ReliabilityBlock
from demur.calibration.reliability import ConsistencyBand as ConsistencyBand
from demur.calibration.reliability import Trust as Trust
from demur.calibration.brier import BrierSplit as BrierSplit

# -- Scoring
from demur.comparisons.scoring import score as score
from demur.comparisons.score_results import Scores as Scores
from demur.comparisons.system_scores import Score as Score
from demur.comparisons.system_scores import NamedScore as NamedScore
from demur.comparisons.score_results import Exchange as Exchange
from demur.comparisons.score_results import BestRange as BestRange
from demur.comparisons.weighted_errors import WeightedError as WeightedError

# -- References
from demur.references.linting import lint as lint
from demur.references.linting import Lints as Lints
from demur.references.findings import Finding as Finding
from demur.references.class_signs import read_signs as read_signs
from demur.references.class_signs import Sign as Sign
from demur.references.stipulations import read_stipulations as read_stipulations
from demur.references.stipulations import Stipulation as Stipulation
from demur.references.stipulations import unknown_meanings as unknown_meanings
from demur.references.stipulations import repeated_meanings as repeated_meanings
from demur.references.stipulations import uncited_meanings as uncited_meanings
from demur.references.adjudicating import adjudicate as adjudicate
from demur.references.adjudicating import Adjudicated as Adjudicated
from demur.references.adjudicating import ChangedVerdict as ChangedVerdict
from demur.references.adjudicating import Standing as Standing
from demur.references.adjudications import read_adjudications as read_adjudications
from demur.references.adjudications import Adjudication as Adjudication
from demur.references.reserving import reserve as reserve
from demur.references.reserving import Reservation as Reservation
from demur.references.reserving import ReservedPart as ReservedPart
from demur.references.merging import merge as merge
from demur.references.merging import Merged as Merged
from demur.sql.neighbours.making import neighbours as neighbours
from demur.sql.neighbours.results import Neighbours as Neighbours
from demur.sql.neighbours.results import MutantCounts as MutantCounts
from demur.sql.neighbours.results import Instance as Instance
from demur.sql.neighbours.results import LivingMutant as LivingMutant

# -- Pictures
from demur.plots.drawing import plot_curves as plot_curves
from demur.plots.drawing import plot_split as plot_split
from demur.plots.drawing import plot_contrasts as plot_contrasts
from demur.plots.drawing import plot_comparison as plot_comparison
from demur.plots.drawing import plot_prices as plot_prices
from demur.plots.drawing import plot_calibration as plot_calibration
from demur.plots.pens import save_picture as save_picture

# -- Beside scikit-learn
from demur.plugs.sklearn_displays import ErrorReturnDisplay as ErrorReturnDisplay
from demur.plugs.sklearn_scorers import NegativeErrorAt as NegativeErrorAt

# -- The store
from demur.store.stores import Store as Store
from demur.store.kept_runs import KeptRun as KeptRun
from demur.store.kept_runs import KeptSystem as KeptSystem
from demur.store.recounting import history as history
from demur.store.histories import History as History
from demur.store.histories import HistoryLine as HistoryLine
from demur.store.histories import HistoryPoint as HistoryPoint
from demur.store.run_diffing import diff_runs as diff_runs
from demur.store.run_diffs import RunDiff as RunDiff
from demur.store.run_diffs import ChangedPart as ChangedPart
from demur.store.run_diffs import ChangedItems as ChangedItems
from demur.store.run_diffs import ChangedFigure as ChangedFigure
from demur.store.gate_configs import read_gates as read_gates
from demur.store.gate_configs import GateFile as GateFile
from demur.store.gating import hold_gates as hold_gates
from demur.store.gate_reports import GateReport as GateReport
from demur.store.gate_reports import GateCheck as GateCheck
from demur.store.keeping import Kept as Kept
from demur.store.keeping import KeptRuns as KeptRuns
from demur.store.rejudging import judge_again as judge_again
from demur.store.rejudging import Rejudged as Rejudged
from demur.store.rejudging import ChangedOutcome as ChangedOutcome

# -- Pages
from demur.pages.reporting import report as report
from demur.pages.reporting import Report as Report
from demur.pages.parts import Source as Source

# -- Errors
from demur.errors import DemurError as DemurError
from demur.errors import InputError as InputError
from demur.errors import ParseError as ParseError
from demur.errors import UndefinedRate as UndefinedRate
from demur.errors import MissingExtra as MissingExtra
from demur.errors import RunError as RunError
