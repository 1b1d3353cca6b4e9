"""Geometry of Shot to Pieces (STP-GEO and the geometric tests of STP-ZOC, STP-MEL, STP-CHG): numbers in, numbers out.

Lengths are 1/100 cm, angles 1/100 degree clockwise from north, points (x to the east, y to the north). What a function
returns is rounded once, halves away from zero (STP-GEO-14); what it compares is the rounded figure (STP-GEO-12). There
is no float: sines are whole parts of 2**40, corners whole parts of 1/2**41 of a hundredth of a centimetre.

base       `Base`, its frame, corners, front centre; places beside it and along a bearing
angles     sines, bearings, turns, differences; fractions of an allowance
gaps       distance of two bases, of a base and a point; overlap
shapes     convex outlines in fine points: distance, hull, cutting
zones      firing range, fire zone, control zone (STP-GEO-05, -06, STP-ZOC-01)
lanes      the fire lane and its samples (STP-GEO-18)
contacts   abutting, rear and front contact, groups (STP-GEO-08, STP-ACT-05)
strikes    contact distance, edge struck, alignment of a charger (STP-GEO-16, STP-MEL-08, STP-CHG-10)
paths      trajectory, what it grazes and overlaps, wheels (STP-GEO-17, -20)
ground     outlines and lines that a leg passes (STP-GEO-21)
"""
